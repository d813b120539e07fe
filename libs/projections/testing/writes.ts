const DAY_MS = 86_400_000;

/** More than any life of a test has; a loop over the writes of one ends by itself before. */
export const WRITES_MAX = 400;

/** Something goes wrong at one of so many writes, at others each day; `LODE_DEATHS_EVERY=1` has it go wrong at all of them. */
export const EVERY = Math.max(1, Number(process.env['LODE_DEATHS_EVERY'] ?? 5) || 1);

/** The same where there are few writes, or where it shows at few of them. */
export const EVERY_OF_FEW = Math.ceil(EVERY / 3);

/** Which of the first so many writes it is today, from 0, of a version of the server: another than of the version before. */
export function firstWrite(every: number, version: number): number {
  return (Math.floor(Date.now() / DAY_MS) + 2 * version) % every;
}
