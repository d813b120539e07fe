import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdentity, FORGOTTEN, type Identity } from '#identity';
import { openIdentityStore } from '#identity/sqlite';
import { decryptWords, encryptWords } from './words.js';

const words = {
  name: 'Ann Miller',
  email: 'ann@example.org',
  phone: '+41',
  businessType: '',
  subject: '',
  message: 'Hello',
};
const forgotten = Object.fromEntries(Object.keys(words).map((field) => [field, FORGOTTEN]));

let folder: string;
let identity: Identity;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lode-words-'));
  const store = await openIdentityStore({ file: join(folder, 'identity.sqlite') });
  identity = await createIdentity({ store, isOpen: async () => true });
  await identity.personKeys.createKey('ann');
  await identity.personKeys.createKey('m1');
});
afterEach(async () => {
  await identity.close();
  rmSync(folder, { recursive: true });
});

test.each(['m1', 'ann'])('a customer’s words are gone with the key of %s', async (gone) => {
  const { personKeys } = identity;
  const sealed = await encryptWords(personKeys, 'm1', 'ann', words);
  const row = { id: 'm1', sealed, userId: 'ann' };
  expect(await decryptWords(personKeys, row)).toEqual(words);
  await personKeys.destroyKey(gone);
  expect(await decryptWords(personKeys, row)).toEqual(forgotten);
});

test('a visitor’s words are gone with the message’s key', async () => {
  const { personKeys } = identity;
  const row = { id: 'm1', sealed: await encryptWords(personKeys, 'm1', undefined, words), userId: null };
  expect(await decryptWords(personKeys, row)).toEqual(words);
  await personKeys.destroyKey('m1');
  expect(await decryptWords(personKeys, row)).toEqual(forgotten);
});
