import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  accessDecider,
  accessStream,
  EMAIL_CHANGES_REMEMBERED,
  FORMER_EMAIL_TOLD_MS,
  REFUSALS_PER_HOUR_MAX,
  SESSIONS_REMEMBERED,
  WRONG_PINS_MAX,
  type Access,
  type AccessCommand,
} from '#ledger';

const { decide, evolve, initial } = accessDecider;
const NOON = Date.parse('2026-01-10T12:00:00.000Z');
const HOUR = 60 * 60 * 1_000;
const at = (ms: number) => new Date(NOON + ms).toISOString();

function after(...commands: readonly AccessCommand[]): Access {
  return commands.reduce<Access>((state, one) => decide(one, state, at(0)).reduce(evolve, state), initial);
}

const signIn = (sessionId: string) => ({ type: 'RecordSignIn', sessionId, client: 'sealed' }) as const;
const end = (sessionId: string) => ({ type: 'RecordSessionEnd', sessionId, why: 'signed_out' }) as const;
const refusal = { type: 'RecordRefusal', why: 'password', client: 'sealed' } as const;
const wrongPin = (triesLeft: number) => ({ type: 'RecordTransferPinRefusal', triesLeft }) as const;

describe('the record of a person’s access', () => {
  test('has a stream of its own', () => expect(accessStream('u1')).toBe('access-u1'));

  test('says who came in, with what, and what ended', () => {
    expect(decide(signIn('s1'), initial, at(0))).toEqual([
      { type: 'SignedIn', data: { sessionId: 's1', client: 'sealed' } },
    ]);
    const two = after(signIn('s1'), signIn('s2'));
    expect(decide({ ...end('s1'), why: 'reuse', client: 'sealed' }, two, at(0))).toEqual([
      { type: 'SessionEnded', data: { sessionId: 's1', why: 'reuse', client: 'sealed' } },
    ]);
    expect(decide({ type: 'RecordSessionsEnd', why: 'password', except: 's2' }, two, at(0))).toEqual([
      { type: 'SessionsEnded', data: { why: 'password', except: 's2' } },
    ]);
  });

  test('says nothing of a session that it does not know', () => {
    expect(decide(end('s1'), initial, at(0))).toEqual([]);
    expect(decide({ type: 'RecordSessionsEnd', why: 'suspended' }, initial, at(0))).toEqual([]);
    const one = after(signIn('s1'));
    expect(decide({ type: 'RecordSessionsEnd', why: 'ended', except: 's1' }, one, at(0))).toEqual([]);
  });

  test('remembers so many sessions, the newest', () => {
    const all = Array.from({ length: SESSIONS_REMEMBERED + 3 }, (_, n) => `s${n}`);
    expect(after(...all.map(signIn)).sessions).toEqual(all.slice(3));
  });

  test.each([
    ['password', { type: 'RecordPasswordChange' }, { type: 'PasswordChanged', data: {} }],
    ['reset', { type: 'RecordPasswordReset' }, { type: 'PasswordReset', data: {} }],
    ['pin', { type: 'RecordTransferPinSet' }, { type: 'TransferPinSet', data: {} }],
  ] as const)('says each time that the %s was changed, and never to what', (_, command, event) => {
    expect(decide(command, after(command), at(0))).toEqual([event]);
  });

  test('says what an admin had a read model leave out', () => {
    const discarded = { model: 'accounts', eventId: 'e1', stream: 'account-u2', revision: 4 };
    const command = { type: 'RecordParkedEventDiscard', ...discarded } as const;
    expect(decide(command, after(command), at(0))).toEqual([
      { type: 'ParkedEventDiscarded', data: discarded },
    ]);
    expect(after(command)).toEqual(initial);
  });

  test('remembers the e-mail addresses of before for seven days each, and so many of them', () => {
    const changed = (changeId: string) =>
      ({ type: 'RecordEmailChange', changeId, emails: 'sealed' }) as const;
    const toldUntil = at(FORMER_EMAIL_TOLD_MS);
    expect(decide(changed('c1'), initial, at(0))).toEqual([
      { type: 'EmailChanged', data: { changeId: 'c1', emails: 'sealed', formerToldUntil: toldUntil } },
    ]);
    const all = Array.from({ length: EMAIL_CHANGES_REMEMBERED + 1 }, (_, n) => `c${n}`);
    expect(after(...all.map(changed)).formerEmails).toEqual(
      all.slice(1).map((changeId) => ({ changeId, emails: 'sealed', toldUntil })),
    );
  });

  test('remembers no e-mail address by a change that was only asked for, confirmed or came to nothing', () => {
    const change = { changeId: 'c1', emails: 'sealed' };
    const commands: readonly AccessCommand[] = [
      { type: 'RecordEmailChangeAsked', ...change },
      { type: 'RecordEmailChangeConfirmed', ...change, epoch: 1, session: 's1' },
      { type: 'RecordEmailChangeFailure', why: 'taken' },
    ];
    expect(commands.flatMap((one) => decide(one, initial, at(0)))).toEqual([
      { type: 'EmailChangeAsked', data: change },
      { type: 'EmailChangeConfirmed', data: { ...change, epoch: 1, session: 's1' } },
      { type: 'EmailChangeFailed', data: { why: 'taken' } },
    ]);
    expect(after(...commands)).toEqual(initial);
  });

  test('asked for what is already so gives no events', () => {
    const sessionId = fc.constantFrom('s1', 's2', 's3');
    const why = fc.constantFrom('signed_out', 'reuse', 'suspended');
    const command: fc.Arbitrary<AccessCommand> = fc.oneof(
      fc.record({ type: fc.constant('RecordSignIn'), sessionId }),
      fc.record({ type: fc.constant('RecordSessionEnd'), sessionId, why }),
      fc.record({ type: fc.constant('RecordSessionsEnd'), why }),
      fc.record({ type: fc.constant('RecordSessionsEnd'), why, except: sessionId }),
    );
    fc.assert(
      fc.property(fc.array(command), command, (before, one) => {
        const state = after(...before, one);
        expect(decide(one, state, at(0))).toEqual([]);
      }),
    );
  });
});

describe('refusals', () => {
  test('are counted in the hour since the first of them', () => {
    const [first] = decide(refusal, initial, at(0));
    expect(first?.data).toEqual({ why: 'password', client: 'sealed', since: at(0), count: 1 });
    const [second] = decide({ ...refusal, why: 'suspended' }, after(refusal), at(HOUR - 1));
    expect(second?.data).toMatchObject({ why: 'suspended', since: at(0), count: 2 });
    const [third] = decide(refusal, after(refusal, refusal), at(HOUR));
    expect(third?.data).toMatchObject({ since: at(HOUR), count: 1 });
  });

  test('beyond so many an hour are not recorded, however many there are', () => {
    const guesses = fc.array(fc.integer({ min: 0, max: HOUR / 2 }), { minLength: 50, maxLength: 300 });
    fc.assert(
      fc.property(guesses, (pauses) => {
        let [state, now] = [initial, 0];
        const recorded: number[] = [];
        for (const pause of pauses) {
          now += pause;
          const events = decide(refusal, state, at(now));
          recorded.push(...events.map(() => now));
          state = events.reduce(evolve, state);
        }
        for (const [n, time] of recorded.entries()) {
          const later = recorded[n + 2 * REFUSALS_PER_HOUR_MAX];
          if (later !== undefined) expect(later - time).toBeGreaterThanOrEqual(HOUR);
        }
      }),
    );
    const full = after(...Array.from({ length: REFUSALS_PER_HOUR_MAX }, () => refusal));
    expect(decide(refusal, full, at(HOUR - 1))).toEqual([]);
    expect(decide(refusal, full, at(HOUR))).toHaveLength(1);
  });
});

describe('wrong transfer pins', () => {
  test('are recorded until the pin is locked, and again once it is set anew', () => {
    const wrong = Array.from({ length: WRONG_PINS_MAX }, (_, n) => wrongPin(WRONG_PINS_MAX - 1 - n));
    expect(decide(wrongPin(4), initial, at(0))).toEqual([
      { type: 'TransferPinRefused', data: { triesLeft: 4 } },
    ]);
    expect(decide(wrongPin(0), after(...wrong), at(0))).toEqual([]);
    expect(decide(wrongPin(4), after(...wrong, { type: 'RecordTransferPinSet' }), at(0))).toHaveLength(1);
  });
});
