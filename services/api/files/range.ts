import type { IncomingHttpHeaders } from 'node:http';
import type { ByteRange } from '#application';
import { LodeError } from '#kernel';

/** The one range of bytes that is served: `bytes=0-99`, `bytes=100-`, `bytes=-50`. */
const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * The bytes of a file that a request's headers ask for; undefined for all of it, also where they ask for several ranges, for
 * units of another kind, or for those of another content. Refuses with `range_not_satisfiable` what the file doesn't have.
 */
export function rangeIn(
  { range, 'if-range': ifRange }: Pick<IncomingHttpHeaders, 'range'> & { readonly 'if-range'?: unknown },
  { bytes, etag }: { readonly bytes: number; readonly etag: string },
): ByteRange | undefined {
  if (ifRange !== undefined && ifRange !== etag) return undefined;
  const [, from = '', to = ''] = RANGE.exec(range ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  const first = from === '' ? Math.max(0, bytes - Number(to)) : Number(from);
  const last = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (first <= last) return { first, last };
  throw new LodeError('range_not_satisfiable', `The file has ${bytes} bytes, and not those.`);
}
