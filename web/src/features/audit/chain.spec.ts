import { expect, test } from '@jest/globals';
import type { AuditEvent } from '#contracts';
import { chainAfter, linkOf } from './chain';

/** An event as an earlier Lode wrote it: what it is chained by never changes. */
const first: AuditEvent = {
  at: '2026-01-05T09:00:04.787Z',
  data: {
    expiresAt: '9999-12-31T23:59:59.999Z',
    invitationId: 'a2e4aa75-7ef3-5be7-8831-82e4fb0c371a',
    role: 'admin',
  },
  id: 'ae92f9a7-2536-549a-b842-e804b83e7a3f',
  meta: {
    actor: { id: 'operator', kind: 'operator', role: 'system' },
    causationId: '8c6ba364-7216-531c-9869-26a138ea41bb',
    chain: '5e293f52d9b61f0bfb5d9312908e13da0be41daeb1d305f569ae83ede22a32c3',
    commandId: '8c6ba364-7216-531c-9869-26a138ea41bb',
    correlationId: 'a2e4aa75-7ef3-5be7-8831-82e4fb0c371a',
    requestHash: '78cedb7646849de27370bd742b7ed16be36445cba630e7c79803cf07195fa6c0',
  },
  position: '1',
  revision: 0,
  stream: 'invitation-a2e4aa75-7ef3-5be7-8831-82e4fb0c371a',
  type: 'InvitationIssued',
  version: 1,
  actorName: 'Operator',
  personalData: 'none',
};

function after(before: AuditEvent): AuditEvent {
  const event = { ...before, id: before.id.replace('a', 'b'), revision: before.revision + 1 };
  return { ...event, meta: { ...event.meta, chain: chainAfter(before.meta.chain, event) } };
}

test('the browser works out the same chain as the log has', () => {
  expect(linkOf(first, undefined)).toBe('first');
  const second = after(first);
  expect(linkOf(second, first)).toBe('follows');
  expect(linkOf(second, undefined)).toBe('unknown');
});

test('a break is told, whatever was changed', () => {
  expect(linkOf({ ...first, data: { ...first.data, role: 'user' } }, undefined)).toBe('broken');
  const second = after(first);
  const other = { ...first, meta: { ...first.meta, chain: '0'.repeat(64) } };
  expect(linkOf(second, other)).toBe('broken');
  expect(linkOf({ ...second, at: '2026-01-05T09:00:04.788Z' }, first)).toBe('broken');
  expect(linkOf(second, { ...first, revision: 7 })).toBe('broken');
});
