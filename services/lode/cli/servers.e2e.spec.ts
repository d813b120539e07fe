import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { readFileSync, writeFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { crc32 } from 'node:zlib';
import { openLooks, scrubParts } from '#engines';
import { findVersitygw } from '#files/s3/testing';
import { redisServer } from '#jobs/bullmq/testing';
import { canonicalJson, withoutUserInfo, type RecordedEvent } from '#kernel';
import { describeWhere } from '#kernel/testing';
import { walletModels } from '#projections';
import { readSettings } from '../settings.js';
import {
  credit,
  dataFolders,
  findingsIn,
  deploymentOn,
  fillFromRecorded,
  invitationIn,
  join,
  killAll,
  recorded,
  serverNames,
  signIn,
  startServers,
  testedOn,
  type Deployment,
  type Listening,
  type Person,
  type ServerName,
  type Servers,
} from '../testing/index.js';

/** How often the log and the read models are verified while commands are sent. */
const LOOKS = 3;
/** Commands that are sent meanwhile, for each look: what was changed since it began is looked at one by one. */
const COMMANDS = 20;

const lacking = 'no redis-server or no versitygw, or LODE_TEST_ON names servers';
const isHere = redisServer !== undefined && findVersitygw() !== undefined && testedOn.length === 0;

const { newFolder, removeFolders } = dataFolders();
const { newFolder: newPlace, removeFolders: removePlaces } = dataFolders();
const programs: Listening[] = [];
const others: Servers[] = [];
let servers: Servers;
/** The recorded log on all four servers. */
let lode: Deployment;

async function emptyServers(...names: readonly ServerName[]): Promise<Deployment> {
  const started = await startServers(names);
  others.push(started);
  return deploymentOn(newFolder(), started.env);
}

async function started(deployment: Deployment): Promise<Listening> {
  const program = await deployment.start();
  programs.push(program);
  return program;
}

const known = (program: Listening, name: string): Promise<Person> =>
  signIn(program.visitor, recorded.people[name]!);

/** The log of a deployment, each event without its position. */
async function logOf(deployment: Deployment): Promise<readonly string[]> {
  const { code, out, err } = await deployment.lode('export');
  expect([code, err]).toEqual([0, '']);
  return eventsIn(out).map(({ position: _, ...event }) => canonicalJson(event));
}

const eventsIn = (text: string): readonly RecordedEvent[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedEvent);

/** A document of a read model as MongoDB has it. */
type Stored = {
  readonly _id: string;
  readonly pos: string;
  readonly late: readonly string[] | null;
  readonly json?: string;
  readonly sum: number;
};

/** The checksum of a stored document with this text, as the program makes it. */
function sealed(collection: string, { _id, pos, late }: Stored, json: string): number {
  const build = collection.replace('read-models.', '');
  return crc32(`${_id}\n${pos}\n${late?.join() ?? ''}\n${json}`, crc32(build)) | 0;
}

async function expectNothingWrong(deployment: Deployment): Promise<void> {
  const { code, json } = await deployment.tell('verify');
  expect({ code, wrong: json['wrong'] }).toEqual({ code: 0, wrong: [] });
}

const done = async (...args: readonly string[]) => {
  const { code, json } = await lode.tell(...args);
  expect({ code, ok: json['ok'] }).toEqual({ code: 0, ok: true });
  return json;
};

/** Whether this machine's disk is slow is no matter here. */
async function foundWell(): Promise<void> {
  expect(findingsIn((await lode.tell('doctor')).json)).toEqual([]);
}

/** What is found wrong by looking at all parts of what the servers have, as the program does. */
async function lookedAt(): Promise<readonly (readonly [string, string])[]> {
  const looks = await openLooks(readSettings({ ...servers.env, LODE_DATA: lode.folder }));
  const found: (readonly [string, string])[] = [];
  try {
    for (const part of scrubParts()) {
      let place: string | undefined;
      do {
        const look = await looks.look(part, place);
        found.push(...look.found.map(({ what }) => [part, what] as const));
        place = look.next;
      } while (place !== undefined);
    }
  } finally {
    await looks.close();
  }
  return found;
}

describeWhere(isHere, 'the command line on servers (double)', lacking, () => {
  beforeAll(async () => {
    servers = await startServers(serverNames);
    lode = deploymentOn(newPlace(), servers.env);
    const folder = newPlace();
    await fillFromRecorded(folder);
    expect((await lode.lode('migrate', 'from', folder)).code).toBe(0);
  });
  afterEach(async () => {
    for (const other of others.splice(0)) await other.stop();
    await removeFolders();
  });
  afterAll(async () => {
    await servers.stop();
    await removePlaces();
  });

  describe('without a program', () => {
    test('builds and rebuilds the read models, pays, and finds nothing wrong', async () => {
      expect((await done('rebuild'))['models']).toHaveLength(walletModels.length);
      expect((await done('rebuild', 'accounts'))['models']).toHaveLength(1);
      await done('tick');
      await foundWell();
      await expectNothingWrong(lode);
    });

    test.each(serverNames)(
      'says so when %s is away, without the user information of its address',
      async (name) => {
        const { kill, start, url, variable } = servers.get(name);
        await kill();
        try {
          const { code, json } = await lode.tell('doctor');
          expect(code).toBe(1);
          const findings = json['findings'] as readonly { readonly what: string }[];
          const { host } = new URL(url.replace(/^\w+:/, 'http:'));
          expect(findings).toContainEqual(expect.objectContaining({ what: expect.stringContaining(host) }));
          expect(json['settings']).toContainEqual({
            name: variable,
            value: withoutUserInfo(url),
            source: 'environment',
          });
        } finally {
          await start();
        }
      },
    );

    test('imports into a folder and into servers what it exported, whose positions no one counts', async () => {
      const file = pathJoin(newFolder(), 'log.ndjson');
      await done('export', file);
      const events = eventsIn(readFileSync(file, 'utf8'));
      const positions = events.map(({ position }) => Number(position));
      expect(positions.some((position, n) => n > 0 && position !== positions[n - 1]! + 1)).toBe(true);
      const log = await logOf(lode);
      for (const into of [deploymentOn(newFolder()), await emptyServers('eventstore', 'mongodb')]) {
        expect(await into.tell('import', file)).toMatchObject({
          code: 0,
          json: { imported: events.length, present: 0 },
        });
        expect(await into.tell('import', file)).toMatchObject({
          code: 0,
          json: { imported: 0, present: events.length },
        });
        expect(await logOf(into)).toEqual(log);
        expect((await into.tell('verify', '--log-only')).code).toBe(0);
      }
    });

    test('backs up and restores no folder that is not all', async () => {
      const message =
        'Lode backs up and restores data folders alone: what is on servers is backed up by their own means, in the order of docs/how-to/run-on-servers.md.';
      for (const command of ['backup', 'restore']) {
        const { code, json } = await lode.tell(command, pathJoin(newFolder(), 'backup'));
        expect({ command, code, json }).toMatchObject({
          command,
          code: 1,
          json: { code: 'not_permitted', message },
        });
      }
    });

    test('names a document that was changed behind its back, by its checksum or by the log', async () => {
      await done('rebuild');
      const { userId } = recorded.people['Ann']!;
      const wrongNow = async () => {
        const { code, json } = await lode.tell('verify');
        return { code, wrong: json['wrong'] };
      };
      const wrong = (what: string) => ({
        code: 1,
        wrong: [`read model accounts: document ${userId} ${what}`],
      });
      const client = await MongoClient.connect(servers.env['MONGODB_URL']!, { retryWrites: false });
      try {
        const database = client.db('lode');
        const names = (await database.listCollections().toArray()).map(({ name }) => name);
        const spoil = async (isSealed: boolean) => {
          for (const name of names.filter((one) => one.includes('accounts'))) {
            const documents = database.collection<Stored>(name);
            const found = await documents.findOne({ _id: userId });
            if (typeof found?.json !== 'string') continue;
            const json = JSON.stringify({ ...(JSON.parse(found.json) as object), status: 'Spoilt' });
            const sum = isSealed ? sealed(name, found, json) : found.sum;
            await documents.updateOne({ _id: userId }, { $set: { json, sum } });
          }
        };
        await spoil(false);
        expect(await wrongNow()).toEqual(wrong('is damaged: it is not what was written'));
        await spoil(true);
        expect(await wrongNow()).toEqual(wrong('is not what the log gives in: status'));
      } finally {
        await client.close();
      }
      await done('rebuild', 'accounts');
      await expectNothingWrong(lode);
    });

    test('names a person of whom identity has another document than was written, and writes nothing', async () => {
      const { userId } = recorded.people['Ann']!;
      const client = await MongoClient.connect(servers.env['MONGODB_URL']!, { retryWrites: false });
      const people = client.db('lode').collection<{ _id: string }>('identity.people');
      try {
        const [ann, bob] = await Promise.all(
          ['Ann', 'Bob'].map((name) => people.findOne({ _id: recorded.people[name]!.userId })),
        );
        try {
          await people.updateOne({ _id: userId }, { $set: { 'credential.role': 'admin' } });
          // Of before there were checksums: a program gives it one, and who looks doesn't.
          await people.updateOne({ _id: bob!._id }, { $unset: { sum: '' } });
          expect(await lode.tell('verify')).toMatchObject({
            code: 1,
            json: {
              identity: { damaged: 1, named: [{ table: 'identity.people', id: userId }] },
              wrong: expect.arrayContaining([`what identity has of ${userId} (identity.people) is damaged`]),
            },
          });
          expect(await people.findOne({ _id: bob!._id })).not.toHaveProperty('sum');
        } finally {
          for (const one of [ann!, bob!]) await people.replaceOne({ _id: one._id }, one);
        }
      } finally {
        await client.close();
      }
      await expectNothingWrong(lode);
    });
  });

  describe('beside a program', () => {
    let program: Listening;
    let ada: Person;
    beforeAll(async () => {
      program = await started(lode);
      ada = await known(program, 'Ada');
    });
    afterAll(() => killAll(programs));

    test('finds nothing wrong while commands are sent', async () => {
      const bob = await known(program, 'Bob');
      const sending = async () => {
        for (let sent = 0; sent < COMMANDS; sent++) await credit(ada, bob, { BTC: '0.01' });
      };
      for (let look = 0; look < LOOKS; look++) await Promise.all([sending(), expectNothingWrong(lode)]);
      await Promise.all([
        sending(),
        foundWell(),
        done('export', pathJoin(newFolder(), 'log.ndjson')),
        done('tick'),
      ]);
    });

    test('lets an admin be invited, whom the program takes at once', async () => {
      const { path } = await done('invite-admin');
      const { api } = await join(program.visitor, 'Max', invitationIn(String(path)));
      expect((await api.call('jobs')).status).toBe(200);
    });

    test('pays, which the program lists, and erases, which the program shows', async () => {
      const eve = await join(program.visitor, 'Eve');
      await done('tick');
      const runs = (await ada.api.get('jobs')).items.flatMap((job) => job.runs);
      expect(runs).toContainEqual(expect.objectContaining({ cause: 'hand', state: 'done' }));
      const { position } = await done('erase', eve.userId, '--yes');
      const account = await ada.api.call('account', { params: { userId: eve.userId } });
      expect(account.headers.has('lode-stale')).toBe(false);
      expect(account.json).toMatchObject({ firstname: 'forgotten' });
      expect(position).toBeDefined();
      expect((await eve.api.call('me')).status).toBe(401);
      await expectNothingWrong(lode);
    });

    test('finds what is damaged, where the program looks at everything by and by', async () => {
      expect(await lookedAt()).toEqual([]);
      const client = await MongoClient.connect(servers.env['MONGODB_URL']!, { retryWrites: false });
      const people = client.db('lode').collection<{ readonly _id: string }>('identity.people');
      const { userId } = recorded.people['Bob']!;
      const whole = await people.findOne({ _id: userId });
      try {
        await people.updateOne({ _id: userId }, { $set: { 'credential.epoch': 77 } });
        expect(await lookedAt()).toEqual([
          ['identity', expect.stringMatching(`^What identity has of ${userId} .+ is damaged`)],
        ]);
      } finally {
        await people.replaceOne({ _id: userId }, whole!);
        await client.close();
      }
      expect(await lookedAt()).toEqual([]);
    });

    test('leaves rebuilding to an admin, and says how', async () => {
      expect(await lode.tell('rebuild', 'accounts')).toMatchObject({
        code: 1,
        json: {
          code: 'unavailable',
          message:
            'A program that runs writes the read models: an admin can have one rebuilt there with POST /api/projections/{model}/rebuild.',
        },
      });
      await ada.api.get('rebuildModel', { params: { model: 'accounts' } });
      await expectNothingWrong(lode);
    });
  });

  describe('whose identities are wrapped with a new key', () => {
    const line = (id: string) => `${id} ${Buffer.alloc(32, id.length).toString('base64')}\n`;
    const keys = (...ids: readonly string[]) => {
      const file = pathJoin(newFolder(), 'keys');
      writeFileSync(file, ids.map(line).join(''), { mode: 0o600 });
      return { LODE_KEY_FILE: file };
    };
    const rewrap = async (...ids: readonly string[]) => {
      const { code, json } = await deploymentOn(lode.folder, { ...lode.env, ...keys(...ids) }).tell('rewrap');
      return { code, message: json['message'], key: json['key'] };
    };
    const refused = (what: string) => ({
      code: 1,
      message: expect.stringMatching(`data folder ${lode.folder}, ${what}`),
      key: undefined,
    });
    const begun = async (...ids: readonly string[]) => {
      const program = await lode.start(keys(...ids));
      programs.push(program);
      return program;
    };
    const end = async ({ child, ended }: Listening) => {
      child.kill('SIGTERM');
      await ended;
    };
    const readsAnn = async (program: Listening) => {
      const ada = await known(program, 'Ada');
      const { userId } = recorded.people['Ann']!;
      return ada.api.get('account', { params: { userId } });
    };
    afterAll(() => killAll(programs));

    test('nobody is wrapped while a program could not read it, or goes on with an old one', async () => {
      const without = await started(lode);
      const ann = await readsAnn(without);
      expect(await rewrap('one')).toEqual(refused('does not have the key one'));
      expect(await readsAnn(without)).toEqual(ann);
      await end(without);

      expect(await rewrap('one')).toMatchObject({ code: 0, key: 'one' });
      const older = await begun('one');
      expect(await rewrap('second', 'one')).toEqual(refused('does not have the key second'));
      // Not a word of it is left, so that the program can be started again.
      await end(older);
      const both = await begun('one', 'second');
      expect(await rewrap('second', 'one')).toEqual(refused('wraps with another key'));
      await end(both);
      const newer = await begun('second', 'one');
      expect(await rewrap('second', 'one')).toMatchObject({ code: 0, key: 'second' });
      expect(await readsAnn(newer)).toMatchObject({ firstname: ann.firstname });
      await end(newer);
    });

    test('one that died without a word is waited for', async () => {
      const older = await begun('second');
      older.child.kill('SIGKILL');
      await older.ended;
      expect(await rewrap('third', 'second')).toEqual(refused('does not have the key third'));
      // The same program again is itself.
      const again = await begun('second', 'third');
      await end(again);
      expect(await rewrap('third', 'second')).toMatchObject({ code: 0, key: 'third' });
    });
  });

  test('wants a program stopped where anything of its own is in a folder', async () => {
    const mixed = await emptyServers('eventstore', 'mongodb');
    await started(mixed);
    try {
      for (const command of [
        ['tick'],
        ['erase', 'x', '--yes'],
        ['rebuild'],
        ['invite-admin'],
        ['import', 'package.json'],
      ]) {
        const { code, json } = await mixed.tell(...command);
        expect({ command, code, json }).toMatchObject({
          command,
          code: 1,
          json: {
            code: 'unavailable',
            message: expect.stringContaining(`Lode is running on ${mixed.folder}: stop it`),
          },
        });
      }
    } finally {
      await killAll(programs);
    }
  });
});
