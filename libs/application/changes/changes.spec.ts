import { beforeEach, describe, expect, test } from '@jest/globals';
import { LodeError, logStart, type Actor } from '#kernel';
import { changeStream, settingsStream } from '#ledger';
import { changes, contextFor } from '#reactors';
import { admin, contextOf, createWorld } from '../testing/index.js';
import { AskForChange, AskForChangeHandler } from './ask.js';
import {
  ApproveChange,
  ApproveChangeHandler,
  MakeApprovedChange,
  MakeApprovedChangeHandler,
} from './decide.js';

const bob: Actor = { kind: 'person', id: 'bob', role: 'admin' };

let world: ReturnType<typeof createWorld>;
let parts: ConstructorParameters<typeof ApproveChangeHandler>[0];
/** What the settings answer with in the place of what they would. */
let fails: LodeError | undefined;

beforeEach(() => {
  world = createWorld();
  fails = undefined;
  const { settings } = world.aggregates;
  const able = async () => new Set([admin.id, bob.id]);
  parts = {
    ...world,
    admins: {
      able,
      deciders: able,
      changeDuty: async () => {
        throw new Error('no duty is changed here');
      },
    },
    aggregates: {
      ...world.aggregates,
      settings: {
        ...settings,
        execute: (...asked) => (fails === undefined ? settings.execute(...asked) : Promise.reject(fails)),
      },
    },
  };
});

/** Asks for the change as one admin, and answers with its id. */
async function ask(rate = '0.92', key = 'ask'): Promise<string> {
  const context = { ...contextOf(admin, key), reason: 'As agreed.' };
  const asked = { part: 'dollar-rate', values: { rate } } as const;
  const { changeId } = await new AskForChangeHandler(parts).execute(new AskForChange(context, asked));
  if (changeId === null) throw new Error('it did not wait');
  return changeId;
}
const approve = (changeId: string, key = 'approve') =>
  new ApproveChangeHandler(parts).execute(new ApproveChange(contextOf(bob, key), changeId));
const typesOf = async (stream: string) =>
  (await world.eventStore.readStream(stream, { limit: 10 })).map(({ type }) => type);
/** Has the reactor do what follows from the events of the change, twice. */
async function follow(changeId: string): Promise<void> {
  const events = await world.eventStore.readStream(changeStream(changeId), { limit: 10 });
  for (const event of events.filter(({ type }) => changes.handles.includes(type)))
    for (const { command, step } of changes.on({ ...event, position: logStart }))
      for (const _ of [1, 2]) {
        const because = contextFor(changes.name, event, step);
        await new MakeApprovedChangeHandler(parts).execute(new MakeApprovedChange(because, command));
      }
}

describe('a change that was approved', () => {
  test('is made once by whoever takes the approval and by the reactor together', async () => {
    const changeId = await ask();
    expect(await approve(changeId)).toMatchObject({ status: 'approved' });
    await follow(changeId);
    const events = await world.eventStore.readStream(settingsStream, { limit: 10 });
    expect(events.map(({ type, meta }) => [type, meta.actor, meta.reason])).toEqual([
      ['DollarRateSet', bob, 'As agreed.'],
    ]);
  });

  test('is made by the reactor where the program ended before it was', async () => {
    const changeId = await ask();
    fails = new LodeError('unavailable', 'The log does not answer.');
    await expect(approve(changeId)).rejects.toMatchObject({ code: 'unavailable' });
    expect([await typesOf(changeStream(changeId)), await typesOf(settingsStream)]).toEqual([
      ['ChangeAsked', 'ChangeApproved'],
      [],
    ]);
    fails = undefined;
    await follow(changeId);
    expect(await typesOf(settingsStream)).toEqual(['DollarRateSet']);
    expect(await typesOf(changeStream(changeId))).toEqual(['ChangeAsked', 'ChangeApproved', 'ChangeMade']);
    // Whoever approved it asks again, as nobody told them what came of it.
    expect(await approve(changeId)).toMatchObject({ status: 'approved', replayed: true });
    expect(await typesOf(settingsStream)).toEqual(['DollarRateSet']);
  });

  test('and can’t be made any more is closed, once, and not tried again', async () => {
    const changeId = await ask();
    fails = new LodeError('setting_invalid', 'Not any more.');
    expect(await approve(changeId)).toMatchObject({ status: 'refused' });
    fails = undefined;
    await follow(changeId);
    expect(await approve(changeId)).toMatchObject({ status: 'refused' });
    expect([await typesOf(changeStream(changeId)), await typesOf(settingsStream)]).toEqual([
      ['ChangeAsked', 'ChangeApproved', 'ChangeRefused'],
      [],
    ]);
  });
});

describe('what is so already', () => {
  const rate = async () => (await parts.settings.current()).rate;

  test('is not made again by an approval that is looked at once more when it is something else', async () => {
    const [one, two] = [await ask('0.92', 'one'), await ask('0.92', 'two')];
    for (const id of [one, two]) await approve(id, `approve ${id}`);
    const other = await ask('0.95', 'other');
    await approve(other, 'approve other');
    expect(await rate()).toBe(95_000_000n);
    await follow(two);
    expect(await approve(two, `approve ${two}`)).toMatchObject({ status: 'approved', replayed: true });
    expect(await rate()).toBe(95_000_000n);
  });

  test('waits for nobody, and changes nothing that is something else a moment later', async () => {
    await approve(await ask('0.92'), 'approve');
    const { settings } = parts.aggregates;
    let looked = 0;
    // Between the look and what would be carried out, another change is made.
    parts = {
      ...parts,
      aggregates: {
        ...parts.aggregates,
        settings: {
          ...settings,
          load: async (stream) => {
            const seen = await settings.load(stream);
            looked += 1;
            if (looked === 1)
              await settings.execute(
                settingsStream,
                { type: 'SetDollarRate', rate: 95_000_000n },
                contextOf(bob, 'meanwhile'),
              );
            return seen;
          },
        },
      },
    };
    const context = contextOf(admin, 'the same again');
    const same = { part: 'dollar-rate', values: { rate: '0.92' } } as const;
    const done = await new AskForChangeHandler(parts).execute(new AskForChange(context, same));
    expect([done.changeId, looked]).toEqual([null, 1]);
    expect(await rate()).toBe(95_000_000n);
  });
});

test('what an admin did alone is answered as it was then, once there is another one', async () => {
  const both = parts.admins;
  const send = () => {
    const asked = { part: 'dollar-rate', values: { rate: '0.92' } } as const;
    return new AskForChangeHandler(parts).execute(new AskForChange(contextOf(admin, 'alone'), asked));
  };
  parts = { ...parts, admins: { ...both, able: async () => new Set([admin.id]) } };
  const first = await send();
  parts = { ...parts, admins: both };
  await approve(await ask('0.95', 'later'), 'approve later');
  expect(await send()).toMatchObject({ changeId: null, position: first.position, replayed: true });
  expect((await parts.settings.current()).rate).toBe(95_000_000n);
});

test('what the same command asked for waits, also once its admin is the only one', async () => {
  const changeId = await ask();
  parts = { ...parts, admins: { ...parts.admins, able: async () => new Set([admin.id]) } };
  expect(await ask()).toBe(changeId);
  expect(await typesOf(settingsStream)).toEqual([]);
});
