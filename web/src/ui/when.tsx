import { formatTime } from '../lib';

/** An instant in the reader's time zone; the exact one stands in its title. */
export function When({ iso }: { readonly iso: string }) {
  return (
    <time dateTime={iso} title={iso} className="nowrap">
      {formatTime(iso)}
    </time>
  );
}
