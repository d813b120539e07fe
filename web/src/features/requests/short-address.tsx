import { shortId } from '../../lib';

/** A wallet address as a cell of a table has room for it; whole on hover. */
export function ShortAddress({ address }: { readonly address: string }) {
  return (
    <span className="code" title={address}>
      {shortId(address, 10, 6)}
    </span>
  );
}
