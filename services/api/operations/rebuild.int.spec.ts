import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '#kernel/testing';
import {
  activeBuild,
  confirmFunding,
  join,
  lastEvent,
  problemIn,
  requestFunding,
  startLode,
  type Lode,
} from '../../lode/testing/index.js';

let lode: Lode;
beforeAll(async () => {
  lode = await startLode();
  const ann = await join(lode.visitor, 'Ann');
  await confirmFunding(lode.admin, ann, (await requestFunding(ann)).requestId);
});
afterAll(() => lode.stop());

describe('an admin', () => {
  test('has a read model built anew while it is read', async () => {
    const { api } = lode.admin;
    const { head } = await api.get('projections');
    const headers = { 'Lode-Position': head };
    const before = await api.get('totals', { headers });
    const number = await activeBuild(lode.folder, 'totals');
    const answer = await api.get('rebuildModel', { params: { model: 'totals' } });
    expect(answer).toEqual({ model: 'totals', state: 'rebuilding' });
    while ((await activeBuild(lode.folder, 'totals')) === number)
      expect(await api.get('totals')).toEqual(before);
    expect(await api.get('totals')).toEqual(before);
  });

  test('sees how it goes, and may end it', async () => {
    const { api } = lode.admin;
    await api.get('rebuildModel', { params: { model: 'totals' } });
    const { cancelled } = await api.get('cancelRebuild', { params: { model: 'totals' } });
    // What is appended beside it may be acknowledged before the head has it.
    const { models } = await until(async () => {
      const standing = await api.get('projections');
      return standing.headSecondsBehind === 0 && standing;
    });
    const totals = models.find(({ name }) => name === 'totals');
    // So few events are soon folded: it may have been too late to end it.
    if (cancelled) expect(totals).toMatchObject({ rebuild: null });
    expect(await api.get('cancelRebuild', { params: { model: 'totals' } })).toEqual({
      model: 'totals',
      cancelled: false,
    });
  });

  test('replays parked events, of which there are none', async () => {
    for (const body of [{}, { stream: 'account-nobody' }]) {
      const answer = await lode.admin.api.get('replayParked', { params: { model: 'accounts' }, body });
      expect(answer).toEqual({ model: 'accounts', replayed: 0, left: 0 });
    }
  });

  test('sees what is parked and discards it, of which there is nothing', async () => {
    const { api } = lode.admin;
    const params = { model: 'accounts' };
    expect(await api.get('parkedEvents', { params })).toEqual({ ...params, items: [], next: null });
    const { items } = await api.get('events');
    const body = { eventId: items[0]?.id ?? '', reason: 'a test' };
    expect(await api.get('discardParked', { params, body })).toEqual({
      ...params,
      discarded: false,
      replayed: 0,
      left: 0,
    });
  });

  test('leaves what was ordered in the log, and who ordered it', async () => {
    const query = { type: 'OperationOrdered', order: 'oldest' } as const;
    const { items } = await lode.admin.api.get('events', { query });
    expect(items.map(({ data }) => data)).toEqual([
      { operation: 'rebuild', about: 'totals' },
      { operation: 'rebuild', about: 'totals' },
      { operation: 'cancel rebuild', about: 'totals' },
      { operation: 'cancel rebuild', about: 'totals' },
      { operation: 'replay', about: 'accounts' },
      { operation: 'replay', about: 'accounts', stream: 'account-nobody' },
    ]);
    expect(items.every(({ meta }) => meta.actor.id === lode.admin.userId)).toBe(true);
  });

  test('is told when there is no such read model, and nothing of it is written down', async () => {
    const before = await lastEvent(lode.admin);
    for (const name of ['rebuildModel', 'cancelRebuild', 'replayParked'] as const) {
      const body = name === 'replayParked' ? { body: {} } : {};
      const answer = await lode.admin.api.call(name, { params: { model: 'nothing' }, ...body });
      const { status, code, detail } = problemIn(answer);
      expect([status, code, detail]).toEqual([404, 'route_not_found', 'There is no read model nothing.']);
    }
    expect(await lastEvent(lode.admin)).toBe(before);
  });
});
