import { expect, test } from '@jest/globals';
import { isKept } from './keys.js';

const NODE = { user: 1_000, groups: [1_000] };
const mounted = { uid: 0, gid: 1_000, mode: 0o100440 };

test('a file of keys is kept from others when it is for its owner alone, or root’s and read by the program’s group', () => {
  expect(isKept({ uid: 1_000, gid: 1_000, mode: 0o100600 }, NODE)).toBe(true);
  expect(isKept(mounted, NODE)).toBe(true);
  expect(isKept({ ...mounted, mode: 0o100640 }, NODE)).toBe(true);
});

test.each([
  ['belongs to a user, who shows it to the group', { ...mounted, uid: 1_000 }, NODE],
  ['belongs to a group that the program isn’t of', { ...mounted, gid: 50 }, NODE],
  ['can be written by the group', { ...mounted, mode: 0o100660 }, NODE],
  ['can be read by everybody', { ...mounted, mode: 0o100444 }, NODE],
  ['is read by root, who needs no group', mounted, { ...NODE, user: 0 }],
])('a file of keys is not kept from others when it %s', (_case, file, reader) => {
  expect(isKept(file, reader)).toBe(false);
});
