import type { ReactNode } from 'react';
import { formatTime, useDisplay } from '../../lib';

/**
 * An instant to the millisecond, which events need to be told apart; the exact one stands in its title. For a list, which is
 * drawn anew as a whole where the display changes: a row that looks out for that by itself costs as much as all else in it.
 */
export function instantOf(iso: string): ReactNode {
  const [, seconds = ''] = /(:\d\d\.\d{3})Z$/.exec(iso) ?? [];
  return (
    <time dateTime={iso} title={iso} className="nowrap">
      {formatTime(iso)}
      <span className="faint">{seconds}</span>
    </time>
  );
}

/** As `instantOf`, by itself. */
export function Instant({ iso }: { readonly iso: string }) {
  useDisplay();
  return instantOf(iso);
}
