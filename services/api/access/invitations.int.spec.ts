import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { join, keyed, newPerson, seconded, startLode, type Lode } from '../../lode/testing/index.js';

let lode: Lode;
beforeAll(async () => {
  lode = await startLode();
});
afterAll(() => lode.stop());

const issue = () => lode.admin.api.get('inviteAdmin');
const revoke = (invitationId: string, reason = 'Sent to the wrong address.') =>
  lode.admin.api.call('revokeInvitation', { params: { invitationId }, body: { reason }, headers: keyed() });
const listAt = (position: string, query: Readonly<Record<string, string>> = {}) =>
  lode.admin.api.get('invitations', { query, headers: { 'Lode-Position': position } });
const codeIn = ({ text }: { readonly text: string }) => (JSON.parse(text) as { readonly code?: string }).code;

describe('invitations', () => {
  test('are listed newest first with who issued, accepted and revoked them, and never with a link', async () => {
    const [first, second] = [await issue(), await issue()];
    const eve = await join(lode.visitor, 'Eve', first.token);
    const revoked = await revoke(second.invitationId);
    expect(revoked.status).toBe(200);
    const { position, message } = revoked.json as { readonly position: string; readonly message: string };
    expect(message).toBe('Invitation revoked');
    const third = await issue();
    const { items } = await listAt(third.position);
    const issuedBy = expect.objectContaining({ userId: lode.admin.userId });
    expect(items.slice(0, 3)).toEqual([
      expect.objectContaining({ id: third.invitationId, state: 'open', end: null, issuedBy }),
      expect.objectContaining({
        id: second.invitationId,
        state: 'revoked',
        position,
        end: { at: expect.any(String), by: issuedBy, reason: 'Sent to the wrong address.' },
      }),
      expect.objectContaining({
        id: first.invitationId,
        state: 'accepted',
        end: { at: expect.any(String), by: { userId: eve.userId, name: 'Eve Miller' } },
      }),
    ]);
    expect(JSON.stringify(items)).not.toContain(third.token);
  });

  test('make an admin of the duty that they name from the first moment, and an owner where they name none', async () => {
    const headers = keyed();
    const issued = await lode.admin.api.get('inviteAdmin', { body: { duty: 'support' }, headers });
    const owner = await issue();
    expect([issued.duty, owner.duty]).toEqual(['support', 'owner']);
    const other = await lode.admin.api.call('inviteAdmin', { body: { duty: 'owner' }, headers });
    expect([other.status, codeIn(other)]).toEqual([422, 'idempotency_key_reused']);
    const { items } = await listAt(owner.position);
    expect(items.slice(0, 2).map(({ duty }) => duty)).toEqual(['owner', 'support']);
    const sue = await join(lode.visitor, 'Sue', issued.token);
    expect((await sue.api.get('me')).duty).toBe('support');
    const refused = await sue.api.call('inviteAdmin', { body: { duty: 'support' } });
    expect([refused.status, codeIn(refused)]).toEqual([403, 'duty_missing']);
    const { events } = await lode.admin.api.get('stream', { params: { stream: 'admins' } });
    const hers = events.filter(({ data }) => data['userId'] === sue.userId).map(({ type }) => type);
    expect(hers.toReversed()).toEqual(['AdminExpected', 'AdminAdmitted']);
  });

  test('come in pages that lead back and forth', async () => {
    const { position } = await issue();
    const page = await listAt(position, { limit: '2' });
    const next = await listAt(position, { limit: '2', cursor: page.next ?? '' });
    expect(next.first).toBe(3);
    expect(await listAt(position, { limit: '2', cursor: next.previous ?? '' })).toMatchObject({
      items: page.items,
    });
  });

  test('that are revoked make nobody an admin, and are revoked once', async () => {
    const { invitationId, token } = await issue();
    const first = await revoke(invitationId);
    const again = await revoke(invitationId, 'To be sure.');
    expect([first.status, again.status]).toEqual([200, 200]);
    const tried = await lode.visitor.call('register', {
      body: { ...newPerson('Mallory'), invitation: token },
    });
    expect([tried.status, codeIn(tried)]).toEqual([403, 'invitation_invalid']);
    const { events } = await lode.admin.api.get('stream', {
      params: { stream: `invitation-${invitationId}` },
    });
    expect(events.map(({ type }) => type)).toEqual(['InvitationRevoked', 'InvitationIssued']);
  });

  test('of an owner who lost the duty, or is kept out, make nobody an admin until the owner is one again', async () => {
    const olga = await join(lode.visitor, 'Olga', (await issue()).token);
    const { token } = await olga.api.get('inviteAdmin');
    const person = { ...newPerson('Rob'), invitation: token };
    const tried = async () => {
      const answer = await lode.visitor.call('register', { body: person });
      return answer.status === 403 && codeIn(answer);
    };
    const ask = (body: object) => ({ params: { userId: olga.userId }, body, headers: keyed() });
    const nina = await join(lode.visitor, 'Nina', (await issue()).token);
    const make = async (duty: 'auditor' | 'owner', reason: string) =>
      seconded(nina, await lode.admin.api.get('changeDuty', ask({ duty, reason })));
    await make('auditor', 'Left the company.');
    expect(await tried()).toBe('invitation_invalid');
    await make('owner', 'Is back.');
    await lode.admin.api.get('suspend', ask({}));
    expect(await tried()).toBe('invitation_invalid');
    await lode.admin.api.get('activate', ask({}));
    await lode.visitor.get('register', { body: person });
  });

  test('that were used, or never were, are not revoked', async () => {
    const { invitationId, token } = await issue();
    await join(lode.visitor, 'Kim', token);
    const used = await revoke(invitationId);
    expect([used.status, codeIn(used)]).toEqual([409, 'invitation_used']);
    const unknown = await revoke('00000000-0000-4000-8000-000000000000');
    expect([unknown.status, codeIn(unknown)]).toEqual([404, 'invitation_not_found']);
  });
});
