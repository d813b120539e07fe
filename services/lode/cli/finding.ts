import { explainFailure } from '#engines';
import { repeatEvery, systemTimers } from '#kernel';

/** Something that looks wrong, and what to do about it. */
export type Finding = { readonly what: string; readonly todo: string };

/** What a look at one part gave, or what it failed with. */
export type Looked<Found> = {
  readonly found?: Found;
  readonly findings: readonly Finding[];
  /** It said nothing in time, and may still be under way. */
  readonly isGivenUp?: true;
};

/** How long a look at one part may take, in milliseconds. Longer than adapters look for a server, whose words say more. */
const LOOK_MS = 5_000;
/** What that is counted in: time in which this process itself was held up is none in which a server said nothing. */
const TICK_MS = 100;

/** Looks at one part. What that fails with is a finding, with this to be done about it, so that it hides no other part. */
export async function look<Found>(todo: string, work: () => Found | Promise<Found>): Promise<Looked<Found>> {
  try {
    return { found: await work(), findings: [] };
  } catch (error) {
    const failure = explainFailure(error);
    const text = failure instanceof Error ? failure.message : String(failure);
    return { findings: [{ what: text.endsWith('.') ? text : `${text}.`, todo }] };
  }
}

/** As `look` at a part that may be on a server, which is given up when it takes too long; `name` is as it begins a sentence. */
export async function lookInTime<Found>(
  name: string,
  todo: string,
  work: () => Found | Promise<Found>,
): Promise<Looked<Found>> {
  const late = Promise.withResolvers<Looked<Found>>();
  const what = `${name} gave no answer within ${LOOK_MS / 1_000} seconds.`;
  let left = LOOK_MS / TICK_MS;
  const cancel = repeatEvery(systemTimers, TICK_MS, () => {
    left -= 1;
    if (left === 0) late.resolve({ findings: [{ what, todo }], isGivenUp: true });
  });
  try {
    return await Promise.race([look(todo, work), late.promise]);
  } finally {
    cancel();
  }
}
