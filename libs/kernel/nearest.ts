/** Longer names are not compared. */
const LENGTH_MAX = 64;
/** Characters of a name for each that may be wrong in it. */
const CHARACTERS_PER_SLIP = 3;

/**
 * The one of `names` that `name` was most likely meant to be; undefined when none is near enough. At most `slips` characters are
 * wrong: one of three where it is left out.
 */
export function nearestName(
  name: string,
  names: readonly string[],
  slips = Math.max(1, Math.floor(name.length / CHARACTERS_PER_SLIP)),
): string | undefined {
  if (name.length > LENGTH_MAX) return undefined;
  const typed = name.toLowerCase();
  let nearest: string | undefined;
  let least = slips + 1;
  for (const known of names) {
    const between = slipsBetween(typed, known.toLowerCase());
    if (between >= least) continue;
    nearest = known;
    least = between;
  }
  return nearest;
}

/** How many characters are wrong, missing, too many, or change places with the next one (optimal string alignment). */
function slipsBetween(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let slips = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        slips = Math.min(slips, (before[j - 2] ?? 0) + 1);
      }
      next.push(slips);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
