/** More than any life of a test has; a loop over the writes of one ends by itself before. */
export const WRITES_MAX = 400;

/** Something goes wrong at one of so many writes, the same ones in every run; `LODE_DEATHS_EVERY=1` has it go wrong at all of them. */
export const EVERY = Math.max(1, Number(process.env['LODE_DEATHS_EVERY'] ?? 5) || 1);

/** The same where there are few writes, or where it shows at few of them. */
export const EVERY_OF_FEW = Math.ceil(EVERY / 3);

/** The first write, from 0, at which something goes wrong on a version of the server. It depends on the version only. */
export function firstWrite(every: number, version: number): number {
  return (2 * version) % every;
}
