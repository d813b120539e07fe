import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import type { CasePage } from '#contracts';
import { canonicalJson, chainHolds, chainStart, type RecordedEvent } from '#kernel';
import { mustRun, until } from '#kernel/testing';
import {
  credit,
  dataFolders,
  join,
  keyed,
  requestTransfer,
  setPin,
  startLode,
  type Ask,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

const VERIFIER = new URL('../../../../docs/examples/verify.py', import.meta.url).pathname;
const withPython = mustRun(spawnSync('python3', ['--version']).status === 0) ? test : test.skip;

const { newFolder, removeFolders } = dataFolders();
let lode: Lode;
let carl: Person;
let text: string;

beforeAll(async () => {
  lode = await startLode();
  const ann = await join(lode.visitor, 'Ann');
  carl = await join(lode.visitor, 'Carl');
  await credit(lode.admin, ann, { BTC: '500.00' });
  await setPin(ann);
  const { accountNumber } = await carl.api.get('me');
  const { requestId } = await requestTransfer(ann, accountNumber, '30.00');
  const params = { userId: ann.userId, requestId };
  await lode.admin.api.get('confirmTransfer', { params, headers: keyed() });
  await until(async () => (await carl.api.get('me')).balances.BTC.balance !== '0.00000000');
  await lode.admin.api.get('addNote', {
    params: { userId: carl.userId },
    body: { text: 'Called twice.' },
    headers: keyed(),
  });
  ({ text } = await ask({ query: { format: 'ndjson' } }));
});
afterAll(async () => {
  await removeFolders();
  await lode.stop();
});

function ask(more: Ask) {
  return lode.admin.api.call('caseFile', { params: { userId: carl.userId }, ...more });
}

/** The events of a file, after its first line. */
const eventsIn = (lines: string) =>
  lines
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as RecordedEvent);

/** What verify.py says of lines, with or without `--case`. */
function audit(lines: string, ...options: readonly string[]) {
  const file = pathJoin(newFolder(), 'case.ndjson');
  writeFileSync(file, lines);
  const { status, stdout } = spawnSync('python3', [VERIFIER, ...options, file], { encoding: 'utf8' });
  return [status, stdout] as const;
}

describe('the case file of a person', () => {
  test('has every event of the person’s own streams, word for word, in the order of the log', async () => {
    const events = eventsIn(text);
    const lines = events.map((event) => canonicalJson(event));
    expect(text.trimEnd().split('\n').slice(1)).toEqual(lines);
    const positions = events.map(({ position }) => BigInt(position));
    expect(positions).toEqual(positions.toSorted((a, b) => (a < b ? -1 : 1)));
    const heads = new Map<string, string>();
    for (const event of events) {
      expect(chainHolds(heads.get(event.stream) ?? chainStart, event)).toBe(true);
      heads.set(event.stream, event.meta.chain);
    }
    expect(new Set(heads.keys())).toEqual(
      new Set(['account', 'access', 'notes'].map((kind) => `${kind}-${carl.userId}`)),
    );
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['TransferReceived', 'NoteAdded']));
    const { end } = JSON.parse(text.split('\n', 1)[0] ?? '') as Pick<CasePage, 'end'>;
    expect(new Set(Object.keys(end.streams))).toEqual(new Set(heads.keys()));
    expect(BigInt(end.position)).toBeGreaterThanOrEqual(positions.at(-1) ?? 0n);
    for (const stream of heads.keys()) {
      const { revision } = await lode.admin.api.get('stream', { params: { stream } });
      expect(events.filter((event) => event.stream === stream)).toHaveLength((revision ?? 0) + 1);
      expect(end.streams[stream]).toBe(revision);
    }
  });

  test('is read page by page as well', async () => {
    const found: unknown[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: '2', ...(cursor === undefined ? {} : { cursor }) };
      const page = await lode.admin.api.get('caseFile', { params: { userId: carl.userId }, query });
      expect(page.first).toBe(found.length + 1);
      found.push(...page.items);
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    expect(found).toEqual(eventsIn(text));
  });

  withPython('is accepted by the auditor’s own program, and not once it was changed', () => {
    expect(audit(text, '--case')).toEqual([0, expect.stringContaining('Nothing is wrong.')]);
    expect(audit(text.slice(text.indexOf('\n') + 1))).toEqual([
      1,
      expect.stringContaining('it takes from transit what was never put there'),
    ]);
    const changed = text.replace('"TransferReceived"', '"TransferReturned"');
    expect(audit(changed, '--case')).toEqual([1, expect.stringContaining('its hash is not that')]);
    const [first = '', second = '', ...rest] = text.split('\n');
    expect(audit([first, ...rest].join('\n'), '--case')[0]).toBe(1);
    expect(audit([second, ...rest].join('\n'), '--case')[0]).toBe(1);
  });

  withPython('is not accepted once its end was cut, or goes on after it', () => {
    const says = [1, expect.stringContaining('it does not end where its first line says')];
    const lines = text.trimEnd().split('\n');
    expect(audit(`${lines.slice(0, -1).join('\n')}\n`, '--case')).toEqual(says);
    expect(audit(`${lines[0] ?? ''}\n`, '--case')).toEqual(says);
    expect(audit('', '--case')).toEqual(says);
    const early = text.replace(/"position":"\d+"/, '"position":"1"');
    expect(audit(early, '--case')).toEqual(says);
  });

  test('is noted with whose it is', async () => {
    const { items } = await lode.admin.api.get('events', { query: { type: 'ListExported' } });
    expect(items.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ route: 'caseFile', about: carl.userId }),
    );
  });

  test('is of nobody where nobody is, and a cursor of another list is refused', async () => {
    const params = { userId: 'nobody' };
    expect(await lode.admin.api.call('caseFile', { params })).toMatchObject({ status: 404 });
    expect(await ask({ query: { cursor: 'abc' } })).toMatchObject({ status: 400 });
    expect(await carl.api.call('caseFile', { params: { userId: carl.userId } })).toMatchObject({
      status: 403,
    });
  });
});
