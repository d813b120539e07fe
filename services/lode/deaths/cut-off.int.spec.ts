import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { FORGOTTEN } from '#identity';
import { accessStream, accountStream, adminsStream, messageStream } from '#ledger';
import { settingsInForce } from '#application';
import type { Engines } from '../cli/index.js';
import { run, type Running } from '../run.js';
import { readSettings } from '../settings.js';
import {
  between,
  createClient,
  dataFolder,
  formOf,
  invitationIn,
  join,
  keyed,
  PNG,
  requestFunding,
  signIn,
  upload,
  type Client,
  type Person,
} from '../testing/index.js';

let folder: ReturnType<typeof dataFolder>;
let program: Running;
let visitor: Client;
let admin: Person;
let ann: Person;

const start = async () => {
  const settings = { ...readSettings({ PORT: '0' }), logLevel: 'silent', dataFolder: folder.path } as const;
  program = await run(settings, () => undefined);
  visitor = createClient(program.address);
};
beforeEach(async () => {
  folder = dataFolder();
  await start();
  admin = await join(visitor, 'Ada', invitationIn(program.firstAdminPath));
  ann = await join(visitor, 'Ann');
});
afterEach(async () => {
  await program.stop();
  await folder.remove();
});

/** Does some work on the folder while no program runs on it, and starts the program again. */
async function whileStopped<T>(work: (engines: Engines) => Promise<T>): Promise<T> {
  await program.stop();
  const done = await between(folder.path, work);
  await start();
  return done;
}

const context = () => {
  const id = randomUUID();
  const actor = { kind: 'operator', id: 'operator', role: 'system' } as const;
  return { actor, commandId: id, requestHash: id, correlationId: id, causationId: id };
};

/** What the log says of a person's access, each as its type and why. */
const auditOf = ({ eventStore }: Engines, userId: string) =>
  eventStore
    .readStream(accessStream(userId), { limit: 100 })
    .then((events) => events.map(({ type, data }) => [type, data['why']].join(' ').trim()));

/** The types of a person's events, oldest first. */
const typesOf = async (eventStore: Engines['eventStore'], userId: string) =>
  (await eventStore.readStream(accountStream(userId), { limit: 100 })).map(({ type }) => type);

const invited = async () => (await admin.api.get('inviteAdmin')).token;

describe('a program that died right after the event of', () => {
  test('a suspension lets no request of the suspended person through once it runs again', async () => {
    await whileStopped(({ aggregates }) =>
      aggregates.accounts.execute(accountStream(ann.userId), { type: 'Suspend' }, context()),
    );
    const refused = await visitor.as(ann.api.token).call('me');
    expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('token_invalid')]);
    const renewal = await visitor.call('refresh', { headers: { Cookie: ann.cookie } });
    expect([renewal.status, renewal.text]).toEqual([403, expect.stringContaining('account_suspended')]);
    expect(
      (await visitor.call('signIn', { body: { email: ann.email, password: ann.password } })).text,
    ).toContain('account_suspended');
    const audit = await whileStopped((engines) => auditOf(engines, ann.userId));
    expect(audit).toEqual(['SignedIn', 'SessionsEnded suspended', 'SignInRefused suspended']);
  });

  test('an activation lets the person in once it runs again', async () => {
    await admin.api.get('suspend', { params: { userId: ann.userId }, body: {}, headers: keyed() });
    await whileStopped(({ aggregates }) =>
      aggregates.accounts.execute(accountStream(ann.userId), { type: 'Activate' }, context()),
    );
    await signIn(visitor, ann);
  });

  test('a suspension in the list of admins has suspended the account, and none of its requests was let through', async () => {
    const eve = await join(visitor, 'Eve', await invited());
    await whileStopped(({ aggregates }) =>
      aggregates.admins.execute(adminsStream, { type: 'SuspendAdmin', userId: eve.userId }, context()),
    );
    expect((await visitor.as(eve.api.token).call('people')).status).toBe(401);
    const refused = await visitor.call('signIn', { body: { email: eve.email, password: eve.password } });
    expect(refused.text).toContain('account_suspended');
    const types = await whileStopped(({ eventStore }) => typesOf(eventStore, eve.userId));
    expect(types).toEqual(['AccountOpened', 'AccountSuspended']);
  });

  test('an activation in the list of admins lets the admin in once it runs again', async () => {
    const eve = await join(visitor, 'Eve', await invited());
    await admin.api.get('suspend', { params: { userId: eve.userId }, body: {}, headers: keyed() });
    await whileStopped(({ aggregates }) =>
      aggregates.admins.execute(adminsStream, { type: 'ActivateAdmin', userId: eve.userId }, context()),
    );
    const back = await signIn(visitor, eve);
    expect((await back.api.call('people')).status).toBe(200);
  });

  test('a removal from the list of admins has erased the admin once it runs again', async () => {
    const eve = await join(visitor, 'Eve', await invited());
    await whileStopped(({ aggregates }) =>
      aggregates.admins.execute(adminsStream, { type: 'RemoveAdmin', userId: eve.userId }, context()),
    );
    expect((await visitor.as(eve.api.token).call('people')).status).toBe(401);
    const after = await whileStopped(async ({ identity, eventStore }) => ({
      types: await typesOf(eventStore, eve.userId),
      credential: await identity.credentials.knownByEmail(eve.email),
    }));
    expect(after).toEqual({ types: ['AccountOpened', 'PersonForgotten'], credential: undefined });
  });

  test('an erasure has destroyed the key and the files once it runs again', async () => {
    const { requestId } = await requestFunding(ann);
    await upload(ann);
    const { fileId: picture } = await admin.api.get('uploadProductImage', { form: formOf(PNG) });
    const params = { userId: ann.userId, requestId };
    await admin.api.get('rejectFunding', { params, body: {}, headers: keyed() });
    const before = await whileStopped(async ({ aggregates, files, identity }) => {
      const stream = accountStream(ann.userId);
      const { state } = await aggregates.accounts.load(stream);
      if (state.kind !== 'open') throw new Error('Ann has an account');
      expect(await identity.personKeys.decryptFor(ann.userId, state.profile)).toMatchObject({
        firstname: 'Ann',
      });
      const { prices } = await settingsInForce(aggregates);
      const command = { type: 'ForgetPerson', prices } as const;
      await aggregates.accounts.execute(stream, command, context());
      return { profile: state.profile, files: await files.list({ limit: 10 }) };
    });
    expect(before.files).toHaveLength(3);
    expect((await visitor.as(ann.api.token).call('me')).status).toBe(401);
    const after = await whileStopped(async ({ identity, files }) => ({
      profile: await identity.personKeys.decryptFor(ann.userId, before.profile),
      credential: await identity.credentials.knownByEmail(ann.email),
      files: (await files.list({ limit: 10 })).map(({ fileId }) => fileId),
    }));
    expect(after).toEqual({ profile: FORGOTTEN, credential: undefined, files: [picture] });
  });

  test('forgetting a message has destroyed its key once it runs again', async () => {
    const body = { message: 'Call me.', subject: 'Rigs', businessType: 'none' };
    const { messageId } = await ann.api.get('sendMessage', { body, headers: keyed() });
    const text = await whileStopped(async ({ aggregates, identity }) => {
      await aggregates.messages.execute(messageStream(messageId), { type: 'ForgetMessage' }, context());
      return identity.personKeys.encryptFor(messageId, { word: 'secret' });
    });
    const read = await whileStopped(({ identity }) => identity.personKeys.decryptFor(messageId, text));
    expect(read).toBe(FORGOTTEN);
  });
});

describe('a person who is suspended while the program runs', () => {
  test('gets no further request through, whichever session it is sent in', async () => {
    const other = await signIn(visitor, ann);
    await admin.api.get('suspend', { params: { userId: ann.userId }, body: {}, headers: keyed() });
    for (const { api, cookie } of [ann, other]) {
      expect((await api.call('me')).status).toBe(401);
      const body = { amount: '1.00', currency: 'BTC' };
      expect((await api.call('requestWithdrawal', { body, headers: keyed() })).status).toBe(401);
      expect((await visitor.call('refresh', { headers: { Cookie: cookie } })).status).toBe(403);
    }
  });
});
