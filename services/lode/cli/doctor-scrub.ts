import { missedIn, type ScrubState } from '#scrub';
import type { Finding } from './finding.js';
import { count } from './output.js';

/** What the program found that looked at everything, as far as nothing makes it again. */
export function aboutScrub(state: ScrubState | undefined): readonly Finding[] {
  const pass = [state?.pass, state?.last].find((one) => one !== undefined && one.lasting > 0);
  if (pass === undefined) return [];
  const [first = ''] = pass.found;
  const more = pass.damaged > 1 ? ` (and ${count(pass.damaged - 1)} more)` : '';
  return [
    {
      what: `The look at everything found damage: ${first}${more}`,
      todo: 'Run lode verify, look at the disk, and restore a backup.',
    },
  ];
}

/** How far that is, and when it was done last. */
export function describeScrub(state: ScrubState | undefined): string {
  if (state === undefined) return 'What is kept was never looked at as a whole by a program that runs.';
  const { pass, last } = state;
  const now =
    pass === undefined
      ? ''
      : ` It is being looked at since ${instant(pass.begunAt)}, now at ${pass.part}: ${count(pass.looked)} seen.`;
  if (last === undefined) return `What is kept was not looked at as a whole yet.${now}`;
  const missed = missedIn(state);
  const what =
    missed.length === 0 ? 'All that is kept' : `What is kept but for ${missed.join(', ')}, which was away,`;
  return `${what} was looked at by ${instant(last.endedAt)}: ${count(last.looked)} seen, ${count(last.damaged)} damaged.${now}`;
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
