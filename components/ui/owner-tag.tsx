/** Marks what isn't ours, with whose it is. */
export function OwnerTag({ owner }: { readonly owner: string | null }) {
  return (
    <span className="outside" title={owner === null ? "outside management" : `outside management, owner ${owner}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="m8 2.6 5.4 5.4L8 13.4 2.6 8Z" />
      </svg>
      <span className="c-lab">{owner ?? "unmanaged"}</span>
      <span className="sr">, outside management</span>
    </span>
  );
}
