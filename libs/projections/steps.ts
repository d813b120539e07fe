import { comparePositions, isEngineError, type Position } from '#kernel';
import type { Checkpoint } from '#read-store';
import { advanceSingly, advanceTogether, type Advanced } from './advance.js';
import { discardBuild } from './bookkeeping.js';
import type { Crew } from './crew.js';
import { budgetFor, lanesOf, type Lane } from './lanes.js';
import type { Budget } from './limits.js';
import type { Member } from './member.js';
import type { Works } from './works.js';

/** A runner at work: what it works with, what it keeps, and how far behind it last found itself. */
export type Running = {
  readonly works: Works;
  readonly crew: Crew;
  isFarBehind: boolean;
  /** Told when queries read another build. */
  readonly activated: (member: Member) => void;
};

/** `idle` when nothing is left to do until the log grows, `caught up` when there just was. */
export type Outcome = 'idle' | 'caught up' | 'busy';

/**
 * One bounded piece of work: a batch for the builds that are furthest ahead, then one for those furthest behind, or some
 * of the removal of an old build. So the live models never wait for more than one batch of anything else.
 */
export async function step(running: Running): Promise<Outcome> {
  const { works, crew } = running;
  const careful = crew.members.find((member) => member.careful > 0 && !member.isHalted);
  if (careful !== undefined) {
    await stepCarefully(works, careful);
    return 'busy';
  }
  const [front] = lanesOf(crew.members);
  if (front === undefined) return 'idle';
  const { events, atHead } = await advanceLane(running, front, undefined);
  running.isFarBehind = !atHead;
  await activateReady(running, front, atHead);
  const lanes = lanesOf(crew.members);
  const back = lanes.at(-1);
  const next = lanes.at(-2);
  if (back !== undefined && next !== undefined) {
    await advanceLane(running, back, next.checkpoint.position);
    return 'busy';
  }
  if (await discardSome(running)) return 'busy';
  return !atHead ? 'busy' : events > 0 ? 'caught up' : 'idle';
}

/**
 * After a death in the middle of a batch: its events a part at a time, and those of a part in whose middle it died
 * again one at a time. Each is marked in the store before it is handled, so that the culprit is known the next time.
 */
async function stepCarefully(works: Works, member: Member): Promise<void> {
  const { carefully } = works.limits;
  const { fold, checkpoint, suspect } = member;
  const { position } = checkpoint;
  await works.books.running(carefully.events);
  const isKnown =
    suspect !== undefined &&
    (suspect.events === 1
      ? comparePositions(suspect.position, position) > 0
      : comparePositions(suspect.position, position) >= 0);
  if (!isKnown) await works.books.mark(fold.build, { position, events: carefully.events, attempts: 1 });
  const { events, atHead } = isKnown
    ? await advanceSingly(works, member, carefully.events, true)
    : await advanceOrPark(works, [member], checkpoint, carefully, undefined);
  member.suspect = undefined;
  member.careful = atHead ? 0 : member.careful - events;
}

async function advanceLane(running: Running, lane: Lane, upTo: Position | undefined): Promise<Advanced> {
  const { works, crew, isFarBehind } = running;
  const budget = budgetFor(lane, crew.members, isFarBehind, works.limits);
  await works.books.running(budget.events);
  return advanceOrPark(works, lane.members, lane.checkpoint, budget, upTo);
}

/** As `advanceTogether`; when what a model made can't be written, one event at a time finds the one to park. */
async function advanceOrPark(
  works: Works,
  members: readonly Member[],
  from: Checkpoint,
  budget: Budget,
  upTo: Position | undefined,
): Promise<Advanced> {
  try {
    return await advanceTogether(works, members, from, budget, upTo);
  } catch (error) {
    if (isEngineError(error)) throw error;
    let events = 0;
    for (const member of members) {
      const alone = await advanceSingly(works, member, budget.events, false);
      events = Math.max(events, alone.events);
    }
    return { events, atHead: false };
  }
}

/** Swaps in what has caught up: with the end of the log, or with a build that queries read already. */
async function activateReady(running: Running, front: Lane, atHead: boolean): Promise<void> {
  const isServed = front.members.some(({ isActive }) => isActive);
  if (!atHead && !isServed) return;
  const { crew, works } = running;
  for (const member of front.members) {
    if (member.isActive) continue;
    await works.store.activate(member.fold.build);
    const { model } = member.fold;
    const others = crew.members.filter((one) => one !== member && one.fold.model === model);
    crew.retired.push(...others.map(({ fold }) => fold.build));
    crew.members = crew.members.filter((one) => !others.includes(one));
    const frozen = crew.frozen.get(model.name);
    if (frozen !== undefined) crew.retired.push(frozen.build);
    crew.frozen.delete(model.name);
    member.isActive = true;
    running.activated(member);
  }
}

/** Removes some of what is no longer read; true while there may be more. */
async function discardSome({ works, crew }: Running): Promise<boolean> {
  const [build, ...others] = crew.retired;
  if (build === undefined) return false;
  if (!(await discardBuild(works.store, works.books, build))) return true;
  crew.retired = others;
  return others.length > 0;
}
