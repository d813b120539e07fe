import { beforeEach, describe, expect, test } from '@jest/globals';
import { FORGOTTEN, localBuckets, type PersonKeys } from '#identity';
import { accountStream, messageStream } from '#ledger';
import { VISITOR } from '../actors.js';
import {
  admin,
  contextOf,
  createWorld,
  customer,
  noModels,
  NOW,
  personalContextOf,
} from '../testing/index.js';
import { ForgetMessage, ForgetMessageHandler, MarkMessage, MarkMessageHandler } from './handle.js';
import { SendMessage, SendMessageHandler } from './send.js';
import { decryptWords } from './words.js';

const USER = 'eve';
const PROFILE = { firstname: 'Eve', lastname: 'Miller', email: 'eve@example.org', phone: '1' };
const VISITORS = {
  name: 'Ann',
  email: 'ann@example.org',
  phone: '2',
  businessType: 'mine',
  message: 'Hello',
};
/** Messages that one sender may send at once, and milliseconds until there may be one more. */
const BURST = 10;
const EVERY_MS = 5 * 60_000;

describe('what people write to the platform', () => {
  let world: ReturnType<typeof createWorld>;
  let now: number;
  let handler: SendMessageHandler;
  beforeEach(async () => {
    world = createWorld();
    now = NOW;
    world.identity.bucketsOf = localBuckets(() => now);
    handler = new SendMessageHandler(world);
    const profile = await world.identity.personKeys.encryptFor(USER, PROFILE);
    await world.aggregates.accounts.execute(
      accountStream(USER),
      { type: 'OpenAccount', userId: USER, accountNumber: '3012345678', role: 'user', profile },
      contextOf(admin, 'open'),
    );
  });

  const withKeys = (keys: Partial<PersonKeys>) => ({
    ...world,
    identity: { ...world.identity, personKeys: { ...world.identity.personKeys, ...keys } },
  });
  const eventsOf = (messageId: string) =>
    world.eventStore.readStream(messageStream(messageId), { limit: 100 });
  const typesOf = async (messageId: string) => (await eventsOf(messageId)).map(({ type }) => type);
  const send = (messageId: string, words = VISITORS, sender = '192.0.2.1') =>
    handler.execute(
      new SendMessage(personalContextOf(VISITOR, `send ${messageId}`), {
        messageId,
        userId: undefined,
        sender,
        words,
      }),
    );
  const sendAs = (userId: string, messageId: string) =>
    handler.execute(
      new SendMessage(personalContextOf(customer(userId), `send ${messageId}`), {
        messageId,
        userId,
        sender: userId,
        words: { name: 'Somebody Else', message: 'Hello' },
      }),
    );
  const mark = (key: string, messageId: string, isRead: boolean) =>
    new MarkMessageHandler(world).execute(new MarkMessage(contextOf(admin, key), messageId, isRead));
  const forget = (
    key: string,
    messageId: string,
    parts: Pick<typeof world, 'aggregates' | 'identity'> = world,
  ) =>
    new ForgetMessageHandler({ ...parts, projections: noModels }).execute(
      new ForgetMessage(contextOf(admin, key), messageId),
    );

  test("a visitor's words are encrypted with the message's key, and so is the digest of the request", async () => {
    await send('m1');
    const [event, ...more] = await eventsOf('m1');
    expect(more).toEqual([]);
    const sealed = await world.identity.personKeys.encryptFor('m1', { ...VISITORS, subject: '' });
    const requestHash = await world.identity.personKeys.digestFor('m1', 'send m1');
    expect(event).toMatchObject({
      type: 'MessageSent',
      data: { messageId: 'm1', sealed },
      meta: { requestHash },
    });
    expect(event?.data).not.toHaveProperty('userId');
  });

  test('a customer writes under the name in the log, whatever name the words give', async () => {
    await sendAs(USER, 'm1');
    const [event] = await eventsOf('m1');
    const sealed = String(event?.data['sealed']);
    expect(event?.data['userId']).toBe(USER);
    expect(await decryptWords(world.identity.personKeys, { id: 'm1', userId: USER, sealed })).toEqual({
      name: 'Eve Miller',
      email: 'eve@example.org',
      phone: '1',
      businessType: '',
      subject: '',
      message: 'Hello',
    });
  });

  test('a visitor who leaves out who they are is refused before anything is counted or written', async () => {
    const { name: _, ...nameless } = VISITORS;
    for (let n = 0; n <= BURST; n += 1)
      await expect(
        handler.execute(
          new SendMessage(personalContextOf(VISITOR, 'k'), {
            messageId: 'm1',
            userId: undefined,
            sender: '192.0.2.1',
            words: nameless,
          }),
        ),
      ).rejects.toMatchObject({ code: 'validation_failed', issues: [{ path: 'name' }] });
    expect(await typesOf('m1')).toEqual([]);
    await send('m1');
  });

  test('a sender who writes too much is told how long to wait; others, and what is sent again, are not', async () => {
    const first = await send('m0');
    for (let n = 1; n < BURST; n += 1) await send(`m${n}`);
    await expect(send('more')).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retryAfterSeconds: EVERY_MS / 1_000 },
    });
    expect(await typesOf('more')).toEqual([]);
    expect(await send('m0')).toMatchObject({ position: first.position, replayed: true });
    await send('theirs', VISITORS, '192.0.2.2');
    now += EVERY_MS;
    await send('more');
    expect(await typesOf('more')).toEqual(['MessageSent']);
  });

  test('somebody without an account, and one who was forgotten, writes nothing as a customer', async () => {
    await expect(sendAs('nobody', 'm1')).rejects.toMatchObject({ code: 'account_not_found' });
    handler = new SendMessageHandler(withKeys({ decryptFor: async () => FORGOTTEN }));
    await expect(sendAs(USER, 'm1')).rejects.toMatchObject({ code: 'account_not_found' });
    expect(await typesOf('m1')).toEqual([]);
  });

  test('a message is read and unread, each once, and again when it is asked for again', async () => {
    await send('m1');
    const first = await mark('one', 'm1', true);
    await mark('two', 'm1', true);
    expect(await mark('one', 'm1', true)).toMatchObject({ position: first.position, replayed: true });
    await mark('three', 'm1', false);
    expect(await typesOf('m1')).toEqual(['MessageSent', 'MessageRead', 'MessageUnread']);
  });

  test('a message is forgotten with its key, and neither sent nor read again', async () => {
    const destroyed: string[] = [];
    const parts = withKeys({ destroyKey: async (id) => void destroyed.push(id) });
    await send('m1');
    await forget('one', 'm1', parts);
    expect(destroyed).toEqual(['m1']);
    await expect(send('m1')).rejects.toMatchObject({ code: 'message_not_found' });
    await expect(mark('two', 'm1', true)).rejects.toMatchObject({ code: 'message_not_found' });
    expect(await typesOf('m1')).toEqual(['MessageSent', 'MessageForgotten']);
  });

  test('a message whose key could not be destroyed loses it when it is forgotten again', async () => {
    await send('m1');
    let tries = 0;
    const destroyKey = async () => {
      tries += 1;
      if (tries === 1) throw new Error('injected');
    };
    await expect(forget('one', 'm1', withKeys({ destroyKey }))).rejects.toThrow('injected');
    expect(await forget('one', 'm1', withKeys({ destroyKey }))).toMatchObject({ replayed: true });
    expect(tries).toBe(2);
  });

  test('what was never sent is neither read nor forgotten, and no key is destroyed for it', async () => {
    const destroyed: string[] = [];
    const parts = withKeys({ destroyKey: async (id) => void destroyed.push(id) });
    await expect(mark('one', 'm1', true)).rejects.toMatchObject({ code: 'message_not_found' });
    await expect(forget('two', 'm1', parts)).rejects.toMatchObject({ code: 'message_not_found' });
    expect([await typesOf('m1'), destroyed]).toEqual([[], []]);
  });
});
