import { describe, expect, test } from '@jest/globals';
import { changeDecider, changeStream, type Change, type ChangeCommand, type PlatformChange } from '#ledger';

const { decide, evolve, initial } = changeDecider;
const NOW = '2026-01-10T00:00:00.000Z';
const UNTIL = '2026-01-13T00:00:00.000Z';
const both = new Set(['a1', 'a2']);
const change = { part: 'dollar-rate', values: { rate: '0.92' } } as const satisfies PlatformChange;
const ask = { type: 'AskForChange', changeId: 'c1', change, by: 'a1', until: UNTIL } as const;
const approve = { type: 'ApproveChange', by: 'a2', deciders: both } as const;
const reject = { type: 'RejectChange', by: 'a2', deciders: both } as const;
const close = { type: 'CloseChange' } as const;
const refuse = { type: 'RefuseChange', code: 'setting_invalid' } as const;

const after = (...commands: readonly ChangeCommand[]): Change =>
  commands.reduce((state, one) => decide(one, state, NOW).reduce(evolve, state), initial);
const refusal = (code: string) => expect.objectContaining({ code });

describe('a change that takes a second admin', () => {
  test('waits once it is asked for, and is asked for once', () => {
    expect(changeStream('c1')).toBe('change-c1');
    const asked = after(ask);
    expect(asked).toEqual({
      kind: 'asked',
      changeId: 'c1',
      change,
      by: 'a1',
      until: UNTIL,
      status: 'Pending',
    });
    expect(decide(ask, asked, NOW)).toEqual([]);
  });

  test('is approved by another admin, once', () => {
    const [approved] = decide(approve, after(ask), NOW);
    expect(approved).toEqual({ type: 'ChangeApproved', data: { changeId: 'c1', by: 'a2' } });
    for (const again of [approve, reject])
      expect(() => decide(again, after(ask, approve), NOW)).toThrow(refusal('request_closed'));
  });

  test('is not approved by whoever asked for it, but taken back by them', () => {
    expect(() => decide({ ...approve, by: 'a1' }, after(ask), NOW)).toThrow(refusal('own_request'));
    expect(after(ask, { ...reject, by: 'a1' })).toMatchObject({ status: 'rejected' });
  });

  test('is decided by nobody who may not make such a change, and not for one who may not any more', () => {
    const only = (...who: readonly string[]) => ({ deciders: new Set(who) });
    for (const decision of [approve, reject])
      expect(() => decide({ ...decision, ...only('a1') }, after(ask), NOW)).toThrow(refusal('not_permitted'));
    expect(() => decide({ ...approve, ...only('a2') }, after(ask), NOW)).toThrow(refusal('not_permitted'));
    expect(after(ask, { ...reject, ...only('a2') })).toMatchObject({ status: 'rejected' });
  });

  test('runs out, and is rejected then all the same', () => {
    expect(() => decide(approve, after(ask), UNTIL)).toThrow(refusal('approval_expired'));
    expect(decide(reject, after(ask), UNTIL)).toHaveLength(1);
  });

  test('that was made is so once, and only after it was approved', () => {
    expect(decide(close, after(ask), NOW)).toEqual([]);
    const made = after(ask, approve, close);
    expect(made).toMatchObject({ status: 'made' });
    for (const one of [close, refuse]) expect(decide(one, made, NOW)).toEqual([]);
    for (const one of [approve, reject])
      expect(() => decide(one, made, NOW)).toThrow(refusal('request_closed'));
  });

  test('that can’t be made is closed, once and only after it was approved', () => {
    expect(decide(refuse, after(ask), NOW)).toEqual([]);
    const refused = after(ask, approve, refuse);
    expect(refused).toMatchObject({ status: 'refused' });
    expect(decide(refuse, refused, NOW)).toEqual([]);
  });

  test('that nobody asked for is not decided', () => {
    for (const one of [approve, reject, close, refuse])
      expect(() => decide(one, initial, NOW)).toThrow(refusal('request_not_found'));
  });
});
