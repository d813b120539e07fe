import { formatAge, formatAgo, formatTime, useDisplay, useNow } from '../lib';

/** An instant as the account's owner wants it written; the exact one stands in its title. */
export function When({ iso }: { readonly iso: string }) {
  useDisplay();
  return (
    <time dateTime={iso} title={iso} className="nowrap">
      {formatTime(iso)}
    </time>
  );
}

type AgoProps = {
  readonly iso: string;
  /** As a column has room for: '3 min'. */
  readonly short?: boolean;
};

/** How long ago something was; the exact instant stands in its title. */
export function Ago({ iso, short = false }: AgoProps) {
  useDisplay();
  const now = useNow();
  return (
    <time dateTime={iso} title={formatTime(iso)} className="nowrap">
      {short ? formatAge(iso, now) : formatAgo(iso, now)}
    </time>
  );
}
