import { describe, expect, test } from '@jest/globals';
import { openPersonalData } from '#projections';
import { recorded } from './testing/index.js';

const profile = { email: 'a@lode.example', firstname: 'A', lastname: 'B', phone: '+1' };
const opened = recorded(1, 'account-anna', 'AccountOpened', {
  profile: 'encrypted',
  role: 'user',
  userId: 'anna',
});

describe('personal data', () => {
  test('is opened with the person’s key, and the event is otherwise as it was', async () => {
    const open = openPersonalData((userId, encrypted) => {
      expect([userId, encrypted]).toEqual(['anna', 'encrypted']);
      return Promise.resolve({ ...profile, password: 'no business of a read model' });
    });
    expect(await open(opened)).toEqual({ ...opened, data: { ...opened.data, profile } });
  });

  test('of a person who was forgotten reads so in every field', async () => {
    const event = await openPersonalData(() => 'forgotten')(opened);
    expect(event.data).toHaveProperty('profile', {
      email: 'forgotten',
      firstname: 'forgotten',
      lastname: 'forgotten',
      phone: 'forgotten',
    });
  });

  test('is in no other event, which are given as they are', () => {
    const other = recorded(2, 'account-anna', 'FundingRejected', { requestId: 'r' });
    const open = openPersonalData(() => {
      throw new Error('nothing to open');
    });
    expect(open(other)).toBe(other);
  });

  test.each([[{ ...profile, phone: 7 }], [{ email: 'only this' }]])(
    'that is not a profile is refused: %j',
    (found) => {
      expect(() => openPersonalData(() => found)(opened)).toThrow('a profile has a');
    },
  );
});
