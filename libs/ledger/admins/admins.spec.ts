import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LodeError } from '#kernel';
import {
  adminsDecider,
  adminsStream,
  isListed,
  type Admins,
  type AdminsCommand,
  type AdminsEvent,
  type Duty,
} from '#ledger';

const { decide, evolve, initial } = adminsDecider;
const NOW = '2026-01-10T12:00:00.000Z';
const admit = (userId: string, isSuspended = false) => ({ type: 'AdmitAdmin', userId, isSuspended }) as const;
const suspend = (userId: string, by?: string): AdminsCommand => ({
  type: 'SuspendAdmin',
  userId,
  ...(by === undefined ? {} : { by }),
});
const activate = (userId: string, by: string) => ({ type: 'ActivateAdmin', userId, by }) as const;
const give = (userId: string, duty: Duty, by: string) => ({ type: 'ChangeDuty', userId, duty, by }) as const;
const remove = (userId: string) => ({ type: 'RemoveAdmin', userId }) as const;

/** What a command gives, or the code that it is refused with. */
function answerTo(command: AdminsCommand, state: Admins): readonly AdminsEvent[] | string {
  try {
    return decide(command, state, NOW);
  } catch (error) {
    if (error instanceof LodeError) return error.code;
    throw error;
  }
}

/** The list after commands, of which those that are refused change nothing. */
function after(...commands: readonly AdminsCommand[]): Admins {
  return commands.reduce<Admins>((state, command) => {
    const answer = answerTo(command, state);
    return typeof answer === 'string' ? state : answer.reduce(evolve, state);
  }, initial);
}

const activeIn = (state: Admins) =>
  [...state].flatMap(([id, { standing }]) => (standing === 'active' ? [id] : []));

describe('the list of admins', () => {
  test('is one stream', () => expect(adminsStream).toBe('admins'));

  test('says who may act as an admin', () => {
    const two = after(admit('ada'), admit('eve'));
    expect(activeIn(two)).toEqual(['ada', 'eve']);
    expect(decide(suspend('eve', 'ada'), two, NOW)).toEqual([
      { type: 'AdminSuspended', data: { userId: 'eve' } },
    ]);
    const one = after(admit('ada'), admit('eve'), suspend('eve', 'ada'));
    expect(activeIn(one)).toEqual(['ada']);
    expect(decide(activate('eve', 'ada'), one, NOW)).toEqual([
      { type: 'AdminActivated', data: { userId: 'eve' } },
    ]);
    expect(decide(remove('eve'), one, NOW)).toEqual([{ type: 'AdminRemoved', data: { userId: 'eve' } }]);
  });

  test('expects somebody who is no admin yet, who then is what was expected', () => {
    const expected = after(admit('ada'), { type: 'ExpectAdmin', userId: 'eve', duty: 'support' });
    expect(activeIn(expected)).toEqual(['ada']);
    expect(isListed(expected.get('eve'))).toBe(false);
    expect(answerTo(give('eve', 'owner', 'ada'), expected)).toBe('account_not_found');
    expect(answerTo(remove('ada'), expected)).toBe('not_permitted');
    expect(answerTo({ type: 'ExpectAdmin', userId: 'eve', duty: 'owner' }, expected)).toEqual([]);
    const admitted = decide(admit('eve'), expected, NOW).reduce(evolve, expected);
    expect(admitted.get('eve')).toEqual({ standing: 'active', duty: 'support' });
  });

  test('takes in somebody who was kept out before there was a list', () => {
    expect(after(admit('ada', true))).toEqual(new Map([['ada', { standing: 'suspended', duty: 'owner' }]]));
  });

  test('has nobody twice, and nobody again who was removed', () => {
    const removed = after(admit('ada'), admit('eve'), remove('eve'));
    for (const command of [admit('eve'), remove('eve'), suspend('eve', 'ada'), activate('eve', 'ada')])
      expect(decide(command, removed, NOW)).toEqual([]);
  });

  test.each([suspend('ada'), remove('ada')])('refuses to lose the last one who may come in', (command) => {
    expect(answerTo(command, after(admit('ada'), admit('eve', true)))).toBe('not_permitted');
  });

  test('makes of an admin what an owner says, and asked again nothing', () => {
    const two = after(admit('ada'), admit('eve'));
    expect(answerTo(give('eve', 'support', 'ada'), two)).toEqual([
      { type: 'AdminDutyChanged', data: { userId: 'eve', duty: 'support' } },
    ]);
    const parted = after(admit('ada'), admit('eve'), give('eve', 'support', 'ada'));
    expect(answerTo(give('eve', 'support', 'ada'), parted)).toEqual([]);
    expect(answerTo(give('nobody', 'support', 'ada'), parted)).toBe('account_not_found');
  });

  test('is for owners: another admin decides about no admin, not even themselves', () => {
    const parted = after(admit('ada'), admit('eve'), admit('bob'), give('eve', 'support', 'ada'));
    for (const command of [give('eve', 'owner', 'eve'), suspend('bob', 'eve'), activate('bob', 'eve')])
      expect(answerTo(command, parted)).toBe('not_permitted');
  });

  test.each([suspend('ada'), remove('ada'), give('ada', 'finance', 'ada')])(
    'refuses to lose the last owner, however many other admins there are',
    (command) => {
      const parted = after(admit('ada'), admit('eve'), give('eve', 'finance', 'ada'));
      expect(answerTo(command, parted)).toBe('not_permitted');
    },
  );

  test('takes no decision of somebody who may not act as an admin any more', () => {
    const state = after(admit('ada'), admit('eve'), admit('bob'), suspend('eve', 'ada'));
    for (const command of [suspend('ada', 'eve'), activate('eve', 'eve'), suspend('bob', 'nobody')])
      expect(answerTo(command, state)).toBe('not_permitted');
  });
});

describe('an admin whom an owner erases', () => {
  const erase = (userId: string, by: string) => ({ ...remove(userId), by }) as const;
  const state = after(admit('ada'), admit('eve'), admit('bob'), suspend('eve', 'ada'));

  test('is one who was kept out, and still is', () => {
    expect(answerTo(erase('eve', 'ada'), state)).toEqual([{ type: 'AdminRemoved', data: { userId: 'eve' } }]);
    const back = after(admit('ada'), admit('eve'), suspend('eve', 'ada'), activate('eve', 'ada'));
    for (const [userId, list] of [
      ['bob', state],
      ['eve', back],
      ['ada', back],
    ] as const)
      expect(answerTo(erase(userId, 'ada'), list)).toBe('account_active');
  });

  test('is not removed by one who is no owner any more', () => {
    const parted = after(
      admit('ada'),
      admit('eve'),
      admit('bob'),
      suspend('eve', 'ada'),
      give('bob', 'support', 'ada'),
    );
    for (const by of ['bob', 'eve']) expect(answerTo(erase('eve', by), parted)).toBe('not_permitted');
  });
});

describe('whatever is asked, in whatever order,', () => {
  const people = ['ada', 'bob', 'cid', 'dan'] as const;
  const id = fc.constantFrom(...people);
  const command: fc.Arbitrary<AdminsCommand> = fc.oneof(
    fc.record({ type: fc.constant('AdmitAdmin'), userId: id, isSuspended: fc.constant(false) }),
    fc.record(
      { type: fc.constant('SuspendAdmin'), userId: id, by: id },
      { requiredKeys: ['type', 'userId'] },
    ),
    fc.record({ type: fc.constant('ActivateAdmin'), userId: id, by: id }),
    fc.record({ type: fc.constant('RemoveAdmin'), userId: id }),
  );

  test('once somebody is an admin, somebody stays one', () => {
    fc.assert(
      fc.property(id, fc.array(command, { maxLength: 60 }), (first, commands) => {
        expect(activeIn(after(admit(first), ...commands)).length).toBeGreaterThan(0);
      }),
    );
  });

  test('asked for what is already so, it gives no events', () => {
    fc.assert(
      fc.property(fc.array(command), command, (before, one) => {
        const answer = answerTo(one, after(...before, one));
        if (typeof answer !== 'string') expect(answer).toEqual([]);
      }),
    );
  });

  test('the list agrees with a model that keeps sets', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const [active, suspended, removed] = [new Set<string>(), new Set<string>(), new Set<string>()];
        let state = initial;
        for (const one of commands) {
          const answer = answerTo(one, state);
          const { userId } = one;
          const isDecidedByAdmin = !('by' in one) || one.by === undefined || active.has(one.by);
          const wouldEmpty = active.has(userId) && active.size === 1;
          const isRefused =
            !isDecidedByAdmin || (wouldEmpty && (one.type === 'SuspendAdmin' || one.type === 'RemoveAdmin'));
          expect(answer === 'not_permitted').toBe(isRefused);
          if (typeof answer === 'string') continue;
          const isKnown = active.has(userId) || suspended.has(userId) || removed.has(userId);
          if (one.type === 'AdmitAdmin' && !isKnown) active.add(userId);
          if (one.type === 'SuspendAdmin' && active.delete(userId)) suspended.add(userId);
          if (one.type === 'ActivateAdmin' && suspended.delete(userId)) active.add(userId);
          if (one.type === 'RemoveAdmin' && (active.delete(userId) || suspended.delete(userId)))
            removed.add(userId);
          state = answer.reduce(evolve, state);
          expect(new Set(activeIn(state))).toEqual(active);
        }
      }),
    );
  });
});
