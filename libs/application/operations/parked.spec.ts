import { beforeEach, describe, expect, test } from '@jest/globals';
import { LodeError, logStart, systemRandom, type RecordedEvent } from '#kernel';
import { accessStream } from '#ledger';
import type { ParkedEvent, ProjectionFeed } from '#projections';
import { openSqliteReadStore } from '#read-store/sqlite';
import { createAccessAudit } from '../access/audit.js';
import { createWorld } from '../testing/index.js';
import {
  DiscardParkedEvent,
  DiscardParkedEventHandler,
  ListParkedEvents,
  ListParkedEventsHandler,
} from './parked.js';

describe('parked events', () => {
  const context = { actor: { kind: 'person', id: 'root', role: 'admin' }, session: 's1' } as const;
  let world: ReturnType<typeof createWorld>;
  let events: readonly RecordedEvent[];
  let parked: ParkedEvent[];
  let discarded: string[];
  let isBroken: boolean;
  let isLost: boolean;

  beforeEach(async () => {
    world = createWorld();
    await world.openCustomer('anna');
    await world.openCustomer('boris');
    events = await world.eventStore.readAll(logStart, 10);
    parked = events.map((event, n) => parkedOf(event, events[n - 1]?.position ?? logStart, n));
    discarded = [];
    isBroken = false;
    isLost = false;
  });

  const parkedOf = (event: RecordedEvent, after: RecordedEvent['position'], n: number): ParkedEvent => ({
    id: `p${n}`,
    order: `p${n}`,
    model: 'accounts',
    build: 'accounts@1.1',
    after,
    attempts: 5,
    error: 'TypeError: no',
    eventId: event.id,
    position: event.position,
    revision: event.revision,
    state: n === 0 ? 'parked' : 'waiting',
    stream: event.stream,
    type: event.type,
  });

  const projections = (): ProjectionFeed => ({
    ...unasked,
    parked: async (_, asked) =>
      'eventId' in asked
        ? parked.filter(({ eventId }) => eventId === asked.eventId)
        : parked.slice(0, asked.limit),
    discard: async (_, eventId) => {
      if (isLost) throw new LodeError('unavailable', 'the projector does not answer');
      discarded.push(eventId);
      return { replayed: 1, left: 0 };
    },
  });
  const list = async (limit: number) => {
    const readStore = openSqliteReadStore({ file: ':memory:' });
    await readStore.activate(
      await readStore.begin({ name: 'accounts', version: 1, indexes: [] }, { bulk: false }),
    );
    const parts = { ...world, readStore, projections: projections() };
    const answer = await new ListParkedEventsHandler(parts).execute(
      new ListParkedEvents('accounts', { limit }),
    );
    await readStore.close();
    return answer;
  };
  const discard = (eventId: string, reason = 'it is known to be harmless') => {
    const log = { error: () => undefined };
    const accessAudit = createAccessAudit({ ...world, log, random: systemRandom });
    const record: typeof accessAudit.record = (...how) =>
      isBroken ? Promise.reject(new LodeError('unavailable', 'no log')) : accessAudit.record(...how);
    const parts = {
      accessAudit: { ...accessAudit, record },
      projections: projections(),
    };
    return new DiscardParkedEventHandler(parts).execute(
      new DiscardParkedEvent(context, 'accounts', eventId, reason),
    );
  };
  const trail = () => world.eventStore.readStream(accessStream('root'), { limit: 10 });

  test('are listed with why, and with the event as the log has it', async () => {
    const { items, next } = await list(1);
    expect(items).toEqual([
      expect.objectContaining({
        eventId: events[0]?.id,
        error: 'TypeError: no',
        state: 'parked',
        event: expect.objectContaining({ id: events[0]?.id, type: 'AccountOpened' }),
      }),
    ]);
    expect(next).toBe(events[0]?.position);
    expect((await list(9)).next).toBeNull();
  });

  test('are shown without the event when the log can’t read it', async () => {
    const readAll = () => Promise.reject(new LodeError('storage_failed', 'The event can’t be read.'));
    world = { ...world, eventStore: { ...world.eventStore, readAll } };
    expect((await list(9)).items.map(({ event }) => event)).toEqual([null, null]);
  });

  test('are discarded by an admin, which the log says with the reason, and before it happens', async () => {
    const id = events[0]?.id ?? '';
    expect(await discard(id)).toEqual({ discarded: true, replayed: 1, left: 0 });
    expect(discarded).toEqual([id]);
    expect(await trail()).toEqual([
      expect.objectContaining({
        type: 'ParkedEventDiscarded',
        data: { model: 'accounts', eventId: id, stream: 'account-anna', revision: 0 },
        meta: expect.objectContaining({ actor: context.actor, reason: 'it is known to be harmless' }),
      }),
    ]);
    isBroken = true;
    await expect(discard(id)).rejects.toMatchObject({ code: 'unavailable' });
    expect(discarded).toEqual([id]);
  });

  test('are recorded once when the rest failed and it is asked for again, and again for another reason', async () => {
    const id = events[0]?.id ?? '';
    isLost = true;
    for (let times = 0; times < 2; times++)
      await expect(discard(id)).rejects.toMatchObject({ code: 'unavailable' });
    isLost = false;
    expect(await discard(id)).toMatchObject({ discarded: true });
    expect(await trail()).toHaveLength(1);
    await discard(id, 'somebody else said so');
    expect((await trail()).map(({ meta }) => meta.reason)).toEqual([
      'it is known to be harmless',
      'somebody else said so',
    ]);
    // The same event in another build is another decision.
    parked = parked.map((one) => ({ ...one, build: 'accounts@1.2' }));
    await discard(id);
    expect(await trail()).toHaveLength(3);
  });

  test('that are discarded already are said to be, to whoever did not hear of it, and nothing is written', async () => {
    parked = parked.map((one) => ({ ...one, state: 'discarded' }));
    expect(await discard(events[0]?.id ?? '')).toMatchObject({ discarded: true });
    expect(await trail()).toEqual([]);
  });

  test('are recorded under an id that is derived as it always was', async () => {
    const eventId = '3c445fe8-7d90-59e7-ba70-c239497890be';
    parked = parked.slice(0, 1).map((one) => ({ ...one, eventId }));
    await discard(eventId);
    expect((await trail()).map(({ meta }) => meta.commandId)).toEqual([
      '95a15b4b-5f8b-5d16-ba1c-b2dc85464f69',
    ]);
  });

  test('that are not parked, or no longer, are left alone and nothing is written', async () => {
    expect(await discard('none')).toEqual({ discarded: false, replayed: 0, left: 0 });
    expect(discarded).toEqual([]);
    expect(await trail()).toEqual([]);
  });
});

const unasked = {
  waitFor: unused,
  overwrite: unused,
  onChanges: unused,
  onRebuilt: unused,
  status: unused,
  rebuild: unused,
  cancelRebuild: unused,
  replay: unused,
};
function unused(): never {
  throw new Error('nobody asks for this');
}
