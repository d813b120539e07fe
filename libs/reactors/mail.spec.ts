import { expect, test } from '@jest/globals';
import { positionOf, type RecordedEvent } from '#kernel';
import { mail } from '#reactors';

const event = (type: string): RecordedEvent => ({
  at: '2026-01-08T09:00:00.000Z',
  data: {},
  id: '461c9f7a-c87d-5238-a59d-4b78cfa03a4d',
  meta: {
    actor: { id: 'fin', kind: 'person', role: 'admin' },
    causationId: 'none',
    chain: '0'.repeat(64),
    commandId: 'none',
    correlationId: 'none',
    requestHash: 'none',
  },
  position: positionOf(7),
  revision: 3,
  stream: 'settings',
  type,
  version: 1,
});

test.each([
  ['PricesSet', true],
  ['DollarRateSet', true],
  ['BonusPolicySet', true],
  ['BonusCycleRestarted', true],
  ['DepositDetailsChanged', false],
  ['ApprovalLimitsSet', false],
  ['AdminDutyChanged', false],
  ['AdminSuspended', false],
  ['AdminActivated', false],
  ['AdminRemoved', false],
  ['InvitationIssued', false],
])('owners are told of %s, together with others of its kind: %s', (type, isOften) => {
  expect(mail.handles).toContain(type);
  const [follow] = mail.on(event(type));
  expect(follow?.command).toMatchObject({ type: 'NotifyOwners', by: 'fin' });
  expect(follow?.command).toEqual(
    isOften ? expect.objectContaining({ isOften }) : expect.not.objectContaining({ isOften: true }),
  );
});

test('owners are told of what waits for a second admin by what it is of, and whom', () => {
  const asked = (data: RecordedEvent['data']) =>
    mail.on({
      ...event('ChangeAsked'),
      stream: 'change-c1',
      data: { changeId: 'c1', by: 'fin', until: 'then', ...data },
    });
  expect(mail.handles).toContain('ChangeAsked');
  expect(asked({ part: 'prices', values: { prices: { BTC: '60000' } } })[0]?.command).toEqual({
    type: 'NotifyOwners',
    what: 'prices',
    waits: true,
    isOften: true,
    at: '2026-01-08T09:00:00.000Z',
    by: 'fin',
  });
  expect(asked({ part: 'duty', values: { userId: 'sue', duty: 'owner' } })[0]?.command).toMatchObject({
    what: 'an admin’s duty',
    of: 'sue',
  });
  expect(asked({ part: 'deposit-details', values: { btcWallet: 'bc1' } })[0]?.command).not.toHaveProperty(
    'isOften',
  );
});
