const widths = [150, 118, 170, 132, 96, 144, 124, 160];

/** The shape of the rows to come, with what is being read. */
export function SkeletonPage({ what }: { readonly what: string }) {
  return (
    <>
      <section className="head short" aria-busy="true" aria-label={`Loading ${what}`}>
        <div className="verdict">
          <i className="skel" style={{ width: 320, height: 18 }} />
        </div>
        <div className="meta">
          <i className="skel" style={{ width: 220 }} />
        </div>
      </section>
      <SkeletonPane what={what} />
    </>
  );
}

/** The same below a head that is already there. */
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
