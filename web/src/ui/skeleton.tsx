/** A grey bar of the width of what is coming. */
export function Skeleton({ width }: { readonly width: string }) {
  return <span className="skeleton" aria-hidden="true" style={{ width }} />;
}
