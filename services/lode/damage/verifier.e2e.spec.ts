import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import fc from 'fast-check';
import {
  canonicalJson,
  chainOf,
  chainStart,
  eventId,
  parsePosition,
  positionOf,
  type Json,
  type RecordedEvent,
} from '#kernel';
import { mustRun, until } from '#kernel/testing';
import { aggregates } from '#ledger';
import {
  credit,
  dataFolders,
  finished,
  join,
  keyed,
  lode,
  pageOf,
  requestTransfer,
  requestWithdrawal,
  saveWalletAddress,
  setPin,
  signIn,
  startProgram,
  tell,
  usedFolder,
  type Used,
} from '../testing/index.js';

/* What an auditor has: an export, the page about its format, and a program that knows nothing of Lode's. */

const DOCS = new URL('../../../../docs/', import.meta.url);
const VERIFIER = new URL('examples/verify.py', DOCS).pathname;
const python = spawnSync('python3', ['--version']).status === 0;
const withPython = mustRun(python) ? test : test.skip;

const { newFolder, removeFolders } = dataFolders();
let used: Used;
let folder: string;
let events: readonly RecordedEvent[];
let heads: string;

beforeAll(async () => {
  used = await usedFolder();
  folder = used.copy();
  const program = await startProgram(folder);
  const { visitor } = program;
  const [admin, ann] = [await signIn(visitor, used.admin), await signIn(visitor, used.ann)];
  const carl = await join(visitor, 'Carl');
  await credit(admin, ann, { BTC: '500.00' });
  await saveWalletAddress(ann);
  await setPin(ann);
  const { requestId } = await requestWithdrawal(ann, '20.00');
  await admin.api.get('confirmWithdrawal', { params: { userId: ann.userId, requestId }, headers: keyed() });
  const { accountNumber } = await carl.api.get('me');
  let last = '0';
  for (const amount of ['30.00', '40.00']) {
    const { requestId: transferId } = await requestTransfer(ann, accountNumber, amount);
    const confirmed = await admin.api.get('confirmTransfer', {
      params: { userId: ann.userId, requestId: transferId },
      headers: keyed(),
    });
    last = confirmed.position;
  }
  // What follows from the transfers is in the log, too.
  const { api } = admin;
  await until(async () =>
    (await api.get('reactors')).items.every(({ position }) => BigInt(position) >= BigInt(last)),
  );
  await finished(visitor, admin);
  program.child.kill('SIGTERM');
  await program.ended;
  events = await exported(folder);
  heads = (await lode(folder, 'heads')).out.trim();
});
afterAll(async () => {
  await removeFolders();
  await used.remove();
});

async function exported(of: string): Promise<readonly RecordedEvent[]> {
  const { out } = await lode(of, 'export');
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedEvent);
}

const linesOf = (given: readonly RecordedEvent[]) => given.map((event) => canonicalJson(event));

/** What verify.py says of lines. */
function audit(lines: readonly string[], ...kept: readonly string[]): Promise<{ code: number; out: string }> {
  const file = pathJoin(newFolder(), 'log.ndjson');
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return run(VERIFIER, file, ...kept);
}

function run(...args: readonly string[]): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    execFile('python3', args, (error, out, err) => {
      resolve({
        code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1,
        out: out + err,
      });
    });
  });
}

/** The log with its events changed and every hash made anew, as somebody would who can write every file. */
function rewritten(
  change: (event: RecordedEvent) => readonly RecordedEvent[],
  from: readonly RecordedEvent[] = events,
): readonly RecordedEvent[] {
  const last = new Map<string, RecordedEvent>();
  const counts = new Map<string, number>();
  return from.flatMap(change).map((event, n) => {
    const before = last.get(event.stream);
    const { commandId } = event.meta;
    const index = before?.meta.commandId === commandId ? (counts.get(event.stream) ?? 0) + 1 : 0;
    counts.set(event.stream, index);
    const moved = { ...event, id: eventId(commandId, index), revision: (before?.revision ?? -1) + 1 };
    const chain = chainOf(before?.meta.chain ?? chainStart, moved);
    const sealed = { ...moved, meta: { ...event.meta, chain }, position: positionOf(n + 1) };
    last.set(event.stream, sealed);
    return sealed;
  });
}

/** As `rewritten`, with one change of the first event of a type. */
function rewriting(type: string, change: (event: RecordedEvent) => readonly RecordedEvent[]) {
  const there = events.findIndex((event) => event.type === type);
  if (there < 0) throw new Error(`the log has no ${type}`);
  return rewritten((event) => (event === events[there] ? change(event) : [event]));
}

/** The event with a text in its data put in the place of another, wherever it is. */
function replaced(event: RecordedEvent, text: string, by: string): RecordedEvent {
  const data = canonicalJson(event.data).replaceAll(text, by);
  if (data === canonicalJson(event.data)) throw new Error(`${event.type} has no ${text}`);
  return { ...event, data: JSON.parse(data) as RecordedEvent['data'] };
}

const without = (there: number) => events.filter((_, n) => n !== there);
const typed = (type: string) => events.findIndex((event) => event.type === type);

describe('an export', () => {
  withPython('is whole by an auditor’s own program, which gives the same heads and history', async () => {
    const { code, out } = await audit(linesOf(events), heads);
    expect(code).toBe(0);
    expect(out.split('\n')).toContain(heads);
    const { json } = await tell(folder, 'verify', '--log-only', '--heads', heads);
    expect(json).toMatchObject({ ok: true });
    expect(out).toContain((json['log'] as { readonly digest: string }).digest);
    expect(new Set(events.map(({ type }) => type))).toEqual(
      expect.objectContaining(new Set(['TransferReceived', 'WithdrawalConfirmed', 'PlatformFounded'])),
    );
  });

  withPython('is whole with the heads of when it was shorter', async () => {
    const earlier = (await lode(used.path, 'heads')).out.trim();
    expect(earlier).not.toBe(heads);
    expect(await audit(linesOf(events), earlier, heads)).toMatchObject({ code: 0 });
    expect((await lode(folder, 'verify', '--log-only', '--heads', earlier)).code).toBe(0);
  });
});

/** What must be refused: the lines of it, and a part of what is said. Nothing but the heads tells the last few. */
const mutants: readonly (readonly [name: string, lines: () => readonly string[], says: string])[] = [
  [
    'an amount with another digit',
    () => linesOf(events).map((line) => line.replace('"amount":"100.00"', '"amount":"900.00"')),
    'its hash is not that of what it covers',
  ],
  [
    'an instant with another digit',
    () => linesOf(events).map((line) => line.replace('"at":"20', '"at":"21')),
    'its hash is not that of what it covers',
  ],
  [
    'two lines that changed places',
    () => linesOf(events.map((event, n) => events[n === 3 ? 4 : n === 4 ? 3 : n] ?? event)),
    'an event before it is missing',
  ],
  ['a line taken out', () => linesOf(without(5)), 'an event before it is missing'],
  [
    'an event taken out and the rest counted anew',
    () =>
      linesOf(
        without(typed('FundingRequested')).map((event, n) => ({ ...event, position: positionOf(n + 1) })),
      ),
    'should stand here',
  ],
  ['a line twice', () => linesOf([...events, events.at(-1)!]), 'does not stand after position'],
  [
    'a line with a space in it',
    () => linesOf(events).map((line) => line.replace(':', ': ')),
    'canonical JSON',
  ],
  [
    'a member twice',
    () => linesOf(events).map((line) => line.replace('{"at"', '{"at":"2000-01-01T00:00:00.000Z","at"')),
    'a member stands in it twice',
  ],
  [
    'a member more',
    () => linesOf(events).map((line) => line.replace('"version":1}', '"version":1,"why":1}')),
    'not the members of an event',
  ],
  [
    'an id of another command',
    () => linesOf(events.map((event) => ({ ...event, id: '00000000-0000-5000-8000-000000000000' }))),
    'its hash is not',
  ],
  [
    'half a line',
    () => [...linesOf(events).slice(0, -1), linesOf(events).at(-1)!.slice(0, 50)],
    'it is no event',
  ],
  ['what is no event', () => [...linesOf(events), '[]'], 'not the members of an event'],
  [
    'a posting that does not balance, with hashes made anew',
    () => linesOf(rewriting('WalletCredited', (event) => [replaced(event, '"-500.00"', '"-400.00"')])),
    'do not add up to zero',
  ],
  [
    'somebody else’s account, with hashes made anew',
    () => {
      const { ann, bob } = used;
      return linesOf(
        rewriting('FundingConfirmed', (event) => [
          replaced(event, event.stream.endsWith(ann.userId) ? ann.userId : bob.userId, 'x'),
        ]),
      );
    },
    'it may not book to',
  ],
  [
    'a type that nobody knows, with hashes made anew',
    () => linesOf(rewriting('WalletCredited', (event) => [{ ...event, type: 'WalletDoubled' }])),
    'its type or version is unknown',
  ],
  [
    'a version that nobody knows, with hashes made anew',
    () => linesOf(rewriting('WalletCredited', (event) => [{ ...event, version: 9 }])),
    'its type or version is unknown',
  ],
  [
    'a credit twice, with hashes made anew',
    () => linesOf(rewriting('TransferReceived', (event) => [event, event])),
    'what was never put there',
  ],
  [
    'an event under the id of another one, with hashes made anew',
    () => {
      const first = events.find(({ type }) => type === 'FundingRequested')!;
      return linesOf(
        rewriting('WithdrawalRequested', (event) => [
          { ...event, meta: { ...event.meta, commandId: first.meta.commandId } },
        ]),
      );
    },
    'its id is there twice',
  ],
  [
    'a confirmation before the money is there, with hashes made anew',
    () =>
      linesOf(
        rewritten((event) =>
          event.type === 'WalletCredited' || event.type === 'FundingConfirmed' ? [] : [event],
        ),
      ),
    'goes below zero',
  ],
  [
    'a second founding, with hashes made anew',
    () => linesOf(rewriting('PlatformFounded', (event) => [event, event])),
    'founded a second time',
  ],
];

/** What only heads that were kept tell. */
const hidden: readonly (readonly [name: string, lines: () => readonly string[]])[] = [
  [
    'the platform’s id, with hashes made anew',
    () =>
      linesOf(
        rewriting('PlatformFounded', (event) => [
          { ...event, data: { platformId: '11111111-1111-4111-8111-111111111111' } },
        ]),
      ),
  ],
  [
    'why money was booked, with hashes made anew',
    () =>
      linesOf(
        rewriting('WalletCredited', (event) => [
          { ...event, meta: { ...event.meta, reason: 'another reason' } },
        ]),
      ),
  ],
  ['the end cut off', () => linesOf(events.slice(0, -1))],
  [
    'one stream chained anew',
    () =>
      linesOf(
        rewriting('SignedIn', (event) => [
          { ...event, meta: { ...event.meta, actor: { ...event.meta.actor, id: 'nobody' } } },
        ]),
      ),
  ],
];

describe('an auditor’s own program refuses', () => {
  for (const [name, lines, says] of mutants) {
    withPython(name, async () => {
      const { code, out } = await audit(lines());
      expect([code, out]).toEqual([1, expect.stringMatching(/^WRONG: line \d+: /)]);
      expect(out).toContain(says);
    });
  }

  withPython('a last line without an end', async () => {
    const file = pathJoin(newFolder(), 'log.ndjson');
    writeFileSync(file, linesOf(events).join('\n'));
    expect(await run(VERIFIER, file)).toMatchObject({
      code: 1,
      out: expect.stringContaining('the last line has no end'),
    });
  });

  const amounts = () =>
    linesOf(rewriting('WalletCredited', (event) => [replaced(event, '500.00', '900.00')]));
  for (const [name, lines] of [...hidden, ['both sides of an amount', amounts] as const]) {
    withPython(`by kept heads alone: ${name}`, async () => {
      const changed = lines();
      expect(await audit(changed)).toMatchObject({ code: 0 });
      const { code, out } = await audit(changed, heads);
      expect([code, out]).toEqual([1, expect.stringMatching(/ends before the|history is not the one/)]);
    });
  }

  withPython('to be called without a file, or with what are no heads', async () => {
    for (const args of [[], ['log.ndjson', 'heads']]) {
      expect(await run(VERIFIER, ...args)).toMatchObject({ code: 2 });
    }
  });
});

describe('lode verify, given heads that were kept', () => {
  test.each(hidden)('refuses %s', async (_, lines) => {
    const [to, file] = [newFolder(), pathJoin(newFolder(), 'changed.ndjson')];
    writeFileSync(
      file,
      lines()
        .map((line) => `${line}\n`)
        .join(''),
    );
    expect(await lode(to, 'import', file)).toMatchObject({ code: 0 });
    expect((await lode(to, 'verify', '--log-only')).code).toBe(0);
    const { code, json } = await tell(to, 'verify', '--log-only', '--heads', heads);
    expect([code, json['wrong']]).toEqual([
      1,
      [expect.stringMatching(/when its heads were kept|of the platform/)],
    ]);
  });

  test('takes nothing else for heads', async () => {
    const { code, json } = await tell(folder, 'verify', '--heads', 'monday');
    expect([code, json['message']]).toEqual([2, '--heads takes a line that lode heads has printed.']);
  });
});

describe('the page about the format', () => {
  const page = pageOf('reference/log-format.md');
  const blocks = [...page.matchAll(/^```(?:json|text)\n(.*?)\n```$/gms)].map(([, block = '']) => block);
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

  test('has an example whose every hash is as it says', () => {
    const [line = '', hashed = '', results = ''] = blocks;
    const [chain = '', history, kept] = results.split('\n');
    const event = JSON.parse(line) as RecordedEvent;
    expect(canonicalJson(event)).toBe(line);
    expect(event.meta.chain).toBe(chain);
    expect(sha256(hashed)).toBe(chain);
    const { position, meta, ...rest } = event;
    const { chain: own, ...unchained } = meta;
    expect([position, own]).toEqual([parsePosition('1'), chain]);
    expect(`${chainStart}${canonicalJson({ ...rest, meta: unchained })}`).toBe(hashed);
    expect(sha256(chain)).toBe(history);
    const { platformId } = event.data;
    expect(`lode-heads-1:${String(platformId)}:1:1:1:${sha256(`platform 0 ${chain}\n`)}`).toBe(kept);
  });

  withPython('has an example that the auditor’s own program finds the same of', async () => {
    const [line = '', , results = ''] = blocks;
    const [, history = '', kept = ''] = results.split('\n');
    const { code, out } = await audit([line], kept);
    expect([code, out]).toEqual([0, expect.stringContaining(kept)]);
    expect(out).toContain(history);
  });
});

describe('verify.py', () => {
  const source = readFileSync(VERIFIER, 'utf8');

  test('is short, and uses the standard library alone', () => {
    expect(source.trimEnd().split('\n').length).toBeLessThan(200);
    const imported = [...source.matchAll(/^(?:import|from) (\w+)/gm)].map(([, name]) => name);
    expect(imported.sort()).toEqual(['hashlib', 'json', 're', 'sys', 'uuid']);
  });

  withPython('knows every event type in its newest version', async () => {
    const script = `import json, sys; sys.dont_write_bytecode = True; sys.path.insert(0, '${new URL('examples', DOCS).pathname}'); import verify; print(json.dumps(verify.VERSIONS))`;
    const { out } = await run('-c', script);
    expect(JSON.parse(out)).toEqual(
      Object.fromEntries(
        Object.values(aggregates).map(({ prefix, decider }) => [prefix, { ...decider.codecs.versions }]),
      ),
    );
  });

  withPython('writes canonical JSON as Lode does, whatever is in it', async () => {
    const value = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.string({ unit: 'binary' }),
        fc.string({ unit: fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)) }),
        fc.maxSafeInteger(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(
          fc.string({ unit: fc.constantFrom('a', 'Z', '0', 'é', '\uffee', '😀') }),
          tie('value'),
          {
            maxKeys: 4,
            noNullPrototype: true,
          },
        ),
      ),
    })).value;
    const texts = fc.sample(value, { numRuns: 500, seed: 7 }).map(canonicalJson);
    const file = pathJoin(newFolder(), 'values');
    writeFileSync(file, `${texts.join('\n')}\n`);
    const script = `import json, sys; sys.dont_write_bytecode = True; sys.path.insert(0, '${new URL('examples', DOCS).pathname}'); import verify
for line in open('${file}', encoding='utf-8', newline='\\n'):
    assert verify.canonical(json.loads(line)) == line[:-1], line`;
    expect(await run('-c', script)).toEqual({ code: 0, out: '' });
  });
});
