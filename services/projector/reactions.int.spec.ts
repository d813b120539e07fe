import { afterEach, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createExecutor } from '#commands';
import { openEngines } from '#engines';
import { logStart, systemClock, systemTimers } from '#kernel';
import { access, contextFor, followUpsOf } from '#reactors';
import { accessDecider, accessStream } from '#ledger';
import { createProjector, startProjectorThread } from './index.js';

const folder = mkdtempSync(join(tmpdir(), 'lode-reactions-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('what follows from the log is read and decided in the projector’s thread, as it would be here', async () => {
  const engines = await openEngines({ dataFolder: folder }, 'serve', () => undefined);
  const projector = createProjector({
    thread: () => startProjectorThread(engines, { isBesideCommands: false }),
    models: engines.models,
    leases: engines.leases,
    timers: systemTimers,
    onProblem: () => undefined,
    say: () => undefined,
  });
  await projector.start();
  const due: (readonly string[])[] = [];
  const unsubscribe = projector.reactions.onDue((names) => due.push(names));
  const executor = createExecutor({ store: engines.events, decider: accessDecider, clock: systemClock });
  const actor = { kind: 'operator', id: 'operator', role: 'system' } as const;
  const commandId = randomUUID();
  const context = { actor, commandId, requestHash: 'h', correlationId: commandId, causationId: commandId };
  const recorded = { type: 'RecordSignIn', sessionId: 's1' } as const;
  const { events } = await executor.execute(accessStream('anna'), recorded, context);
  while (due.length === 0) await setImmediate();
  expect(due[0]).toContain('access');

  const there = projector.reactions.followUps('access');
  const here = followUpsOf(access, engines.events);
  const read = await there.read(logStart, 10);
  expect(read).toEqual(await here.read(logStart, 10));
  const [followUp] = read.followUps;
  const [event] = await engines.events.readAll(logStart, 1);
  expect(followUp?.event.id).toBe(events[0]?.id);
  expect(followUp?.commands[0]?.context).toEqual(contextFor('access', event!, 'start-bonus'));
  const place = { ...event!, eventId: event!.id };
  expect(await there.readAgain(place)).toEqual(followUp);
  expect(await there.readAgain({ ...place, eventId: 'another' })).toBeUndefined();

  unsubscribe();
  await projector.stop();
  await expect(there.read(logStart, 10)).rejects.toMatchObject({ code: 'unavailable' });
  await engines.close();
});
