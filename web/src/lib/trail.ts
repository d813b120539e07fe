/** The first page, where an address has to name it. */
const START = '-';
const BETWEEN = '~';

export type Trail = {
  /** What the page is asked for with; undefined for the first. */
  readonly at: string | undefined;
  /** How many pages come before it. */
  readonly passed: number;
  /** The place of the page before, for the address; null on the first. */
  readonly previous: string | null;
  /** The place of the page behind, for the address; null where there is none. */
  readonly to: (next: string | null) => string | null;
};

/** Pages of a list that says only what comes next: the address keeps the way that was come, so that it leads back. */
export function trailOf(place: string | undefined): Trail {
  const way = place === undefined || place === START ? [] : place.split(BETWEEN);
  const before = way.slice(0, -1);
  return {
    at: way.at(-1),
    passed: way.length,
    previous: way.length === 0 ? null : before.length === 0 ? START : before.join(BETWEEN),
    to: (next) => (next === null ? null : [...way, next].join(BETWEEN)),
  };
}
