import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join as pathOf } from 'node:path';
import {
  join,
  keyed,
  lastEvent,
  placesOf,
  problemIn,
  startLode,
  type Client,
  type Given,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

const words = {
  name: 'Vera Visitor',
  email: 'vera@example.org',
  phone: '+41 44 000 00 01',
  businessType: 'Trade',
  message: 'What does the basic plan cost?',
};

let lode: Lode;
let ann: Person;
beforeAll(async () => {
  lode = await startLode();
  ann = await join(lode.visitor, 'Ann');
});
afterAll(() => lode.stop());

const send = (by: Client, body: object = words): Promise<Given<'sendMessage'>> =>
  by.get('sendMessage', { body, headers: keyed() });
const tell = (name: 'readMessage' | 'unreadMessage' | 'forgetMessage', messageId: string) =>
  lode.admin.api.get(name, { params: { messageId }, body: {}, headers: keyed() });
const list = (query: Record<string, string>, position: string) =>
  lode.admin.api.get('messages', { query, headers: { 'Lode-Position': position } });

/** Everything that the program keeps, as bytes. */
async function kept(): Promise<Buffer> {
  const files = (await placesOf(lode.folder)).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /sqlite|eventstoredb|mongodb/.test(name))
      .map((name) => pathOf(folder, name)),
  );
  return Buffer.concat(files.map((file) => readFileSync(file)));
}

describe('a message', () => {
  test('of a visitor is sent, and listed with what they wrote', async () => {
    const { messageId, message, position } = await send(lode.visitor, { ...words, subject: 'Plans' });
    expect(message).toBe('Message sent successfully!');
    const { items } = await list({}, position);
    expect(items[0]).toMatchObject({
      id: messageId,
      userId: null,
      isRead: false,
      ...words,
      subject: 'Plans',
    });
  });

  test('of a customer has the name, e-mail and phone of the account, whatever they say', async () => {
    const { position } = await send(ann.api, { name: 'Somebody else', message: 'Where is my payout?' });
    const { items } = await list({}, position);
    expect(items[0]).toMatchObject({
      userId: ann.userId,
      name: 'Ann Miller',
      email: ann.email,
      phone: '+41 44 000 00 00',
      businessType: '',
      subject: '',
      message: 'Where is my payout?',
    });
  });

  test('is read, unread and read again, and each of it once', async () => {
    const { messageId } = await send(lode.visitor);
    const statusOf = async (position: string) => {
      const [read, unread] = [
        await list({ status: 'read' }, position),
        await list({ status: 'unread' }, position),
      ];
      return [read, unread].map(({ items }) => items.some(({ id }) => id === messageId));
    };
    const { position } = await tell('readMessage', messageId);
    expect(await statusOf(position)).toEqual([true, false]);
    expect((await tell('readMessage', messageId)).position).toBe(position);
    expect(await statusOf((await tell('unreadMessage', messageId)).position)).toEqual([false, true]);
    expect(await statusOf((await tell('readMessage', messageId)).position)).toEqual([true, false]);
  });

  test('is nowhere to be read in what the program keeps, and gone from the list once it is forgotten', async () => {
    const secret = 'a-word-that-nobody-else-writes';
    const { messageId, position } = await send(lode.visitor, { ...words, message: secret });
    expect((await list({}, position)).items[0]?.message).toBe(secret);
    expect((await kept()).includes(secret)).toBe(false);
    const forgotten = await tell('forgetMessage', messageId);
    const { items } = await list({ limit: '100' }, forgotten.position);
    expect(items.map(({ id }) => id)).not.toContain(messageId);
    expect((await tell('forgetMessage', messageId)).position).toBe(forgotten.position);
    const ask = { params: { messageId }, body: {}, headers: keyed() };
    expect(problemIn(await lode.admin.api.call('readMessage', ask))).toMatchObject({
      status: 404,
      code: 'message_not_found',
    });
  });

  test('sent again with its key is sent once, and another one with that key is refused', async () => {
    const ask = { body: words, headers: keyed() };
    const first = await lode.visitor.call('sendMessage', ask);
    const before = await lastEvent(lode.admin);
    const second = await lode.visitor.call('sendMessage', ask);
    expect([second.status, second.text, second.headers.get('idempotency-replayed')]).toEqual([
      201,
      first.text,
      'true',
    ]);
    const other = { ...ask, body: { ...words, message: 'Something else' } };
    expect(problemIn(await lode.visitor.call('sendMessage', other)).code).toBe('idempotency_key_reused');
    expect(await lastEvent(lode.admin)).toBe(before);
  });

  test('under a key that a customer used as well is another message', async () => {
    const headers = keyed();
    const one = await lode.visitor.get('sendMessage', { body: words, headers });
    const two = await ann.api.get('sendMessage', { body: words, headers });
    expect(two.messageId).not.toBe(one.messageId);
  });

  test('that is forgotten is not sent again', async () => {
    const ask = { body: { message: 'Forget me' }, headers: keyed() };
    const { messageId } = await ann.api.get('sendMessage', ask);
    await tell('forgetMessage', messageId);
    expect(problemIn(await ann.api.call('sendMessage', ask)).code).toBe('message_not_found');
  });

  test.each([
    ['a name', { name: undefined }, 'Please enter your name.'],
    ['an e-mail', { email: '' }, 'Please enter your e-mail address.'],
    ['an e-mail address', { email: 'vera' }, 'Please enter a valid e-mail address.'],
    ['a phone', { phone: ' ' }, 'Please enter your phone number.'],
    ['a type of business', { businessType: undefined }, 'Please enter your type of business.'],
    ['a message', { message: undefined }, 'Please enter a message.'],
    ['a message that is a text', { message: 7 }, 'Please enter a message.'],
    ['a message of bearable length', { message: 'x'.repeat(4_001) }, undefined],
    ['a subject of bearable length', { subject: 'x'.repeat(201) }, undefined],
  ])('of a visitor needs %s', async (_, change, detail) => {
    const before = await lastEvent(lode.admin);
    const ask = { body: { ...words, ...change }, headers: keyed() };
    const problem = problemIn(await lode.visitor.call('sendMessage', ask));
    expect([problem.status, problem.code]).toEqual([400, 'validation_failed']);
    if (detail !== undefined) expect(problem.detail).toBe(detail);
    expect(await lastEvent(lode.admin)).toBe(before);
  });

  test('of a customer needs words', async () => {
    const problem = problemIn(await ann.api.call('sendMessage', { body: {}, headers: keyed() }));
    expect(problem).toMatchObject({ code: 'validation_failed', detail: 'Please enter a message.' });
  });

  test('needs an Idempotency-Key', async () => {
    const problem = problemIn(await lode.visitor.call('sendMessage', { body: words }));
    expect(problem.code).toBe('idempotency_key_missing');
  });

  test.each(['readMessage', 'unreadMessage', 'forgetMessage'] as const)(
    'that there is not refuses %s',
    async (name) => {
      const ask = (messageId: string) => ({ params: { messageId }, body: {}, headers: keyed() });
      expect(problemIn(await lode.admin.api.call(name, ask('A'.repeat(35)))).code).toBe('message_not_found');
      expect(problemIn(await lode.admin.api.call(name, ask('short'))).code).toBe('validation_failed');
    },
  );
});

test('whoever writes too much has to wait, and nobody else', async () => {
  const bob = await join(lode.visitor, 'Bob');
  const answers = [];
  for (let n = 0; n < 11; n++) {
    answers.push(await bob.api.call('sendMessage', { body: { message: `number ${n}` }, headers: keyed() }));
  }
  expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(201), 429]);
  expect(answers[10] && problemIn(answers[10]).code).toBe('rate_limited');
  expect(Number(answers[10]?.headers.get('retry-after'))).toBeGreaterThan(0);
  const other = await join(lode.visitor, 'Carl');
  expect((await send(other.api, { message: 'Hello' })).message).toBe('Message sent successfully!');
});
