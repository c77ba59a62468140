const widths = [150, 118, 170, 132, 96, 144, 124, 160];

/** The shape of the rows to come, below a head that is already there, with what is being read. */
export function SkeletonPane({ what }: { readonly what: string }) {
  return (
    <main className="work" id="main">
      <div className="pane">
        <p className="toolbar muted">Reading {what}</p>
        <div className="skel-rows">
          {widths.map((width) => (
            <div key={width}>
              <i className="skel" style={{ width: 20, height: 20 }} />
              <i className="skel" style={{ width }} />
              <i className="skel" style={{ width: 60 }} />
            </div>
          ))}
        </div>
      </div>
    </main>
  );
}
