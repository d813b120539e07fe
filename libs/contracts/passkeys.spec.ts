import { expect, test } from '@jest/globals';
import { passkeyId } from './passkeys.js';

const ID = '0123456789abcdef0123456789abcdef';

test('the id of a passkey is 32 hexadecimal digits', () => {
  expect(passkeyId.safeParse(ID).success).toBe(true);
});

test.each(['', ID.slice(1), `${ID}0`, `0${ID}`, ` ${ID}`, `${ID}\n`, ID.toUpperCase(), ID.replace('f', 'g')])(
  'and %j is none',
  (text) => {
    expect(passkeyId.safeParse(text).error?.issues).toMatchObject([{ message: 'There is no such passkey.' }]);
  },
);
