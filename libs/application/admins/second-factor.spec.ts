import { describe, expect, test } from '@jest/globals';
import type { Session } from '#identity';
import { settingsDecider } from '#ledger';
import { createSecondFactorDuty, whileNotDue } from './second-factor.js';

const ADMIN: Session = { sessionId: 's', userId: 'ada', role: 'admin', expiresAt: 1 };

/** Whether admins need one, once that was read. */
function settings(needsSecondFactor: boolean, wait = false) {
  const known = { ...settingsDecider.initial, adminAccess: { needsSecondFactor }, revision: 0 };
  return { lastKnown: () => (wait ? Promise.resolve(known) : known) };
}

describe('an admin has to set up a second factor', () => {
  test.each([
    ['admins need one and this one has none', true, false, true],
    ['admins need one and this one has one', true, true, false],
    ['admins need none', false, false, false],
  ])('when %s', async (_, needs, isOn, due) => {
    for (const wait of [true, false]) {
      const mustSetUp = createSecondFactorDuty({ isOn: async () => isOn }, settings(needs, wait));
      expect(await mustSetUp(ADMIN)).toBe(due);
      expect(await mustSetUp({ ...ADMIN, role: 'user' })).toBe(false);
    }
  });

  test('and nobody is looked up while admins need none, nor a customer ever', () => {
    const looked: string[] = [];
    const isOn = async (userId: string) => {
      looked.push(userId);
      return false;
    };
    expect(createSecondFactorDuty({ isOn }, settings(false))(ADMIN)).toBe(false);
    expect(createSecondFactorDuty({ isOn }, settings(true))({ ...ADMIN, role: 'user' })).toBe(false);
    expect(looked).toEqual([]);
  });

  test('nobody is let by where it can not be known', async () => {
    const away = () => Promise.reject(new Error('away'));
    const unread = createSecondFactorDuty({ isOn: async () => true }, { lastKnown: away });
    await expect(Promise.resolve(unread(ADMIN))).rejects.toThrow('away');
    const unlooked = createSecondFactorDuty({ isOn: away }, settings(true));
    await expect(Promise.resolve(unlooked(ADMIN))).rejects.toThrow('away');
  });
});

test.each([
  [true, false, true],
  [true, true, false],
  [false, false, false],
  [false, true, false],
])(
  'a session that lives (%s) and whose owner has one to set up (%s) counts as alive: %s',
  async (alive, due, is) => {
    for (const isAlive of [() => alive, async () => alive])
      for (const mustSetUp of [() => due, async () => due])
        expect(await whileNotDue(isAlive, mustSetUp)(ADMIN)).toBe(is);
  },
);
