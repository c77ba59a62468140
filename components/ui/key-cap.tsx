/** Shows which key does it. Decoration for the ear: the key is not part of the control's name. */
export function KeyCap({ children }: { readonly children: string }) {
  return (
    <span aria-hidden="true">
      <kbd>{children}</kbd>
    </span>
  );
}
