import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename } from 'node:path';

/** What takes long goes first: a browser or a program, then real engines, then memory alone. */
const SUFFIXES = ['.e2e.spec.', '.int.spec.', '.spec.'];

const rankOf = (path) => SUFFIXES.findIndex((suffix) => path.includes(suffix));

/** Where not all of the long ones may have time, others of them begin each day. */
const DAY = process.env.LODE_E2E_UNTIL === undefined ? undefined : new Date().toISOString().slice(0, 10);

/**
 * Of the long ones those that have the first turns every day. Each is about several programs on the same servers, one of which is
 * killed, stopped or replaced: what no shorter test shows of what one writer does while another one has its lanes.
 */
const EVERY_DAY = ['scale-out', 'rolling', 'paused'].map((name) => `${name}.e2e.spec.`);

const isOfEveryDay = (path) => EVERY_DAY.some((name) => basename(path).startsWith(name));

const turnOf = (path) =>
  createHash('sha256')
    .update(`${DAY} ${basename(path)}`)
    .digest('hex');

/** Of two that are of the long ones, which begins first today. */
function byDay(a, b) {
  if (DAY === undefined || a.rank !== 0) return 0;
  const [first, second] = [isOfEveryDay(a.test.path), isOfEveryDay(b.test.path)];
  if (first !== second) return first ? -1 : 1;
  return turnOf(a.test.path) < turnOf(b.test.path) ? -1 : 1;
}

/**
 * The order in which Jest begins test files, by their suffix and their size: the longest first, so that no worker is left
 * with one of minutes when the others have nothing more to do. It is the same on every machine and at every run, where Jest's
 * own goes by what took long the last time, which a fresh machine doesn't know, and by size alone until then.
 */
export default class LongestFirst {
  /** Gives the files as they are to begin. */
  sort(tests) {
    return tests
      .map((test) => ({ test, rank: rankOf(test.path), size: statSync(test.path).size }))
      .sort(
        (a, b) => a.rank - b.rank || byDay(a, b) || b.size - a.size || (a.test.path < b.test.path ? -1 : 1),
      )
      .map(({ test }) => test);
  }

  /** Remembers nothing of a run. */
  cacheResults() {}
}
