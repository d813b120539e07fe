import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvariantViolation, isLodeError } from '#kernel';
import { invitationDecider, invitationStream, type Invitation, type InvitationCommand } from '#ledger';

const { decide, evolve, initial } = invitationDecider;
const NOW = '2026-01-10T00:00:00.000Z';
const issuing = {
  type: 'IssueInvitation',
  invitationId: 'i1',
  expiresAt: '2026-01-11T00:00:00.000Z',
} as const;
const accepting = { type: 'AcceptInvitation', userId: 'u1' } as const;
const refusal = expect.objectContaining({ code: 'invitation_invalid' });

function after(...commands: readonly InvitationCommand[]): Invitation {
  return commands.reduce<Invitation>((state, one) => decide(one, state, NOW).reduce(evolve, state), initial);
}

describe('an invitation', () => {
  test('is issued, then accepted once', () => {
    expect(invitationStream('i1')).toBe('invitation-i1');
    expect(after(issuing)).toEqual({ kind: 'issued', invitationId: 'i1', expiresAt: issuing.expiresAt });
    expect(after(issuing, accepting)).toEqual({ kind: 'accepted', invitationId: 'i1', userId: 'u1' });
  });

  test('makes an admin and nothing else', () => {
    expect(decide(issuing, initial, NOW)).toEqual([
      { type: 'InvitationIssued', data: { invitationId: 'i1', role: 'admin', expiresAt: issuing.expiresAt } },
    ]);
  });

  test('is not accepted by a second person', () => {
    expect(() => decide({ ...accepting, userId: 'u2' }, after(issuing, accepting), NOW)).toThrow(refusal);
  });

  test('is not accepted when nobody issued it', () => {
    expect(() => decide(accepting, initial, NOW)).toThrow(refusal);
  });

  test.each([
    ['2026-01-10T23:59:59.999Z', true],
    ['2026-01-11T00:00:00.000Z', false],
    ['2026-01-11T00:00:00.001Z', false],
  ])('that expires at midnight is good at %s: %s', (now, good) => {
    const accept = () => decide(accepting, after(issuing), now);
    if (good) expect(accept()).toHaveLength(1);
    else expect(accept).toThrow(refusal);
  });

  test('is not issued again, neither with another end nor after it was used', () => {
    expect(() => decide({ ...issuing, expiresAt: '2027-01-01T00:00:00.000Z' }, after(issuing), NOW)).toThrow(
      refusal,
    );
    expect(() => decide(issuing, after(issuing, accepting), NOW)).toThrow(refusal);
  });

  test('asked for what is already so gives no events', () => {
    const command: fc.Arbitrary<InvitationCommand> = fc.oneof(
      fc.record({
        type: fc.constant('IssueInvitation'),
        invitationId: fc.constant('i1'),
        expiresAt: fc.constantFrom(issuing.expiresAt, '2026-01-01T00:00:00.000Z'),
      }),
      fc.record({ type: fc.constant('AcceptInvitation'), userId: fc.constantFrom('u1', 'u2') }),
    );
    const taken = (one: InvitationCommand, state: Invitation) => {
      try {
        return decide(one, state, NOW);
      } catch (error) {
        if (isLodeError(error)) return [];
        throw error;
      }
    };
    fc.assert(
      fc.property(fc.array(command), command, (before, one) => {
        const step = (state: Invitation, next: InvitationCommand) => taken(next, state).reduce(evolve, state);
        const state = [...before, one].reduce(step, initial);
        expect(taken(one, state)).toEqual([]);
      }),
    );
  });

  test('folding what no decision gives stops', () => {
    const issued = decide(issuing, initial, NOW);
    const accepted = decide(accepting, after(issuing), NOW);
    expect(() => issued.reduce(evolve, after(issuing, accepting))).toThrow(InvariantViolation);
    expect(() => accepted.reduce(evolve, after(issuing, accepting))).toThrow(InvariantViolation);
    expect(() => accepted.reduce(evolve, initial)).toThrow(InvariantViolation);
  });
});
