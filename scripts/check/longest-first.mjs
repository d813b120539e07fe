import { statSync } from 'node:fs';

/** What takes long goes first: a browser or a program, then real engines, then memory alone. */
const SUFFIXES = ['.e2e.spec.', '.int.spec.', '.spec.'];

const rankOf = (path) => SUFFIXES.findIndex((suffix) => path.includes(suffix));

/**
 * The order in which Jest begins test files: by suffix, then by size, the longest first, so that no worker is left with a long
 * file when the others are done. It is the same on every machine and in every run.
 */
export default class LongestFirst {
  /** The files in the order in which they begin. */
  sort(tests) {
    return tests
      .map((test) => ({ test, rank: rankOf(test.path), size: statSync(test.path).size }))
      .sort((a, b) => a.rank - b.rank || b.size - a.size || (a.test.path < b.test.path ? -1 : 1))
      .map(({ test }) => test);
  }

  /** Stores nothing of a run. */
  cacheResults() {}
}
