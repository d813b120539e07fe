import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { positionOf } from '#kernel';
import { accounts } from '#projections';
import type { ReadStore } from '#read-store';
import { openSqliteReadStore } from '#read-store/sqlite';
import { accountDocument } from '../testing/index.js';
import { ListPeople, ListPeopleHandler } from './list.js';

const PEOPLE = 180;
let readStore: ReadStore;

/** Two in three are called Ada, one in six is suspended; their numbers say in which order they came. */
function account(n: number) {
  const id = String(n).padStart(4, '0');
  const firstname = n % 3 === 0 ? 'Chen' : 'Ada';
  return accountDocument(id, {
    accountNumber: `10${id}`,
    email: `${firstname}.${id}@example.com`,
    firstname,
    lastname: `Berg ${id}`,
    position: positionOf(n + 1),
    status: n % 6 === 1 ? 'suspended' : 'active',
  });
}

beforeAll(async () => {
  readStore = openSqliteReadStore({ file: ':memory:' });
  const build = await readStore.begin(accounts, { bulk: true });
  await readStore.write([{ build, put: Array.from({ length: PEOPLE }, (_, n) => account(n)), remove: [] }]);
  await readStore.activate(build);
});
afterAll(() => readStore.close());

const found = async (filter: ListPeople['filter']) => {
  const { items } = await new ListPeopleHandler({ readStore }).execute(new ListPeople(filter));
  return items.map(({ userId }) => Number(userId));
};
const expected = (is: (n: number) => boolean) => Array.from({ length: PEOPLE }, (_, n) => n).filter(is);

test('a search gives as many as were asked for, in the order of their names', async () => {
  expect(await found({ search: 'ADA b', limit: 3 })).toEqual([1, 2, 4]);
  expect(await found({ search: 'berg 017', limit: 30 })).toEqual(expected((n) => n >= 170));
});

test('a search looks on until it has enough of the status that was asked for', async () => {
  const isSuspended = (n: number) => n % 6 === 1;
  expect(await found({ search: 'ada', status: 'suspended', limit: 100 })).toEqual(expected(isSuspended));
  expect(await found({ search: 'ada', status: 'suspended', limit: 20 })).toEqual(
    expected(isSuspended).slice(0, 20),
  );
});

test('a search by number, by e-mail and for nobody', async () => {
  expect(await found({ search: '10017', limit: 100 })).toEqual(expected((n) => n >= 170));
  expect(await found({ search: 'chen.0009@', limit: 100 })).toEqual([9]);
  expect(await found({ search: 'nobody', limit: 100 })).toEqual([]);
});
