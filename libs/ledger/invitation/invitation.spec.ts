import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvariantViolation, isLodeError } from '#kernel';
import { invitationDecider, invitationStream, type Invitation, type InvitationCommand } from '#ledger';

const { decide, evolve, initial } = invitationDecider;
const NOW = '2026-01-10T00:00:00.000Z';
const issuing = {
  type: 'IssueInvitation',
  invitationId: 'i1',
  duty: 'support',
  expiresAt: '2026-01-11T00:00:00.000Z',
} as const;
const accepting = { type: 'AcceptInvitation', userId: 'u1' } as const;
const revoking = { type: 'RevokeInvitation' } as const;
const refusal = expect.objectContaining({ code: 'invitation_invalid' });

function after(...commands: readonly InvitationCommand[]): Invitation {
  return commands.reduce<Invitation>((state, one) => decide(one, state, NOW).reduce(evolve, state), initial);
}

describe('an invitation', () => {
  test('is issued, then accepted once', () => {
    expect(invitationStream('i1')).toBe('invitation-i1');
    expect(after(issuing)).toEqual({
      kind: 'issued',
      invitationId: 'i1',
      duty: 'support',
      expiresAt: issuing.expiresAt,
    });
    expect(after(issuing, accepting)).toEqual({
      kind: 'accepted',
      invitationId: 'i1',
      duty: 'support',
      userId: 'u1',
    });
  });

  test('makes an admin of its duty and nothing else', () => {
    const { invitationId, duty, expiresAt } = issuing;
    expect(decide(issuing, initial, NOW)).toEqual([
      { type: 'InvitationIssued', data: { invitationId, role: 'admin', duty, expiresAt } },
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
    expect(() => decide({ ...issuing, duty: 'owner' }, after(issuing), NOW)).toThrow(refusal);
    expect(() => decide(issuing, after(issuing, accepting), NOW)).toThrow(refusal);
  });

  test('is revoked before it is used, also when its time is over, and then makes nobody an admin', () => {
    expect(decide(revoking, after(issuing), '2027-01-01T00:00:00.000Z')).toEqual([
      { type: 'InvitationRevoked', data: { invitationId: 'i1' } },
    ]);
    const revoked = after(issuing, revoking);
    expect(revoked).toEqual({ kind: 'revoked', invitationId: 'i1' });
    expect(() => decide(accepting, revoked, NOW)).toThrow(refusal);
    expect(() => decide(issuing, revoked, NOW)).toThrow(refusal);
  });

  test('is revoked after it was accepted by somebody who has no account, and of nobody else', () => {
    const used = after(issuing, accepting);
    expect(decide({ ...revoking, unfinishedBy: 'u1' }, used, NOW)).toEqual([
      { type: 'InvitationRevoked', data: { invitationId: 'i1' } },
    ]);
    const refused = expect.objectContaining({ code: 'invitation_used' });
    expect(() => decide({ ...revoking, unfinishedBy: 'u2' }, used, NOW)).toThrow(refused);
    const revoked = after(issuing, accepting, { ...revoking, unfinishedBy: 'u1' });
    expect(revoked).toEqual({ kind: 'revoked', invitationId: 'i1' });
    expect(() => decide(accepting, revoked, NOW)).toThrow(refusal);
  });

  test('is not revoked when it was used or never was', () => {
    const used = expect.objectContaining({ code: 'invitation_used' });
    expect(() => decide(revoking, after(issuing, accepting), NOW)).toThrow(used);
    const missing = expect.objectContaining({ code: 'invitation_not_found' });
    expect(() => decide(revoking, initial, NOW)).toThrow(missing);
  });

  test('asked for what is already so gives no events', () => {
    const command: fc.Arbitrary<InvitationCommand> = fc.oneof(
      fc.record({
        type: fc.constant('IssueInvitation'),
        invitationId: fc.constant('i1'),
        duty: fc.constantFrom('owner', 'support'),
        expiresAt: fc.constantFrom(issuing.expiresAt, '2026-01-01T00:00:00.000Z'),
      }),
      fc.record({ type: fc.constant('AcceptInvitation'), userId: fc.constantFrom('u1', 'u2') }),
      fc.constantFrom(revoking, { ...revoking, unfinishedBy: 'u1' }),
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
    expect(() => accepted.reduce(evolve, after(issuing, revoking))).toThrow(InvariantViolation);
    expect(() => accepted.reduce(evolve, initial)).toThrow(InvariantViolation);
  });
});
