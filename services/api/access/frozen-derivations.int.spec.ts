import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { StreamEvent } from '#kernel';
import { recordedLog } from '../../lode/testing/index.js';
import {
  erase,
  inviteAdmin,
  inviteFirstAdmin,
  openAccessWorld,
  register,
  registered,
  signIn,
  somebody,
  type AccessWorld,
} from '#application/testing';

/*
 * What the ids and hashes of these commands are derived from is storage: a version that derives them otherwise could not
 * finish what was cut off before the upgrade. People have ids that are drawn, so what is to be is written down a second
 * time here, and nothing of it is ever to be changed.
 */

const REGISTRATION = '0b0c2f0a-6a1e-5f6d-8a59-0f1d1a7f6c03';
const TRAIL = '5d0b7a52-8a0e-5a6b-9b8e-6a4f4c0e8d04';
const ERASURE = '0d5f2f36-7f3a-5d0c-9f3b-64f1f5b0a9d1';
/** 1 January 2026, where the world's clock stands. */
const NOW = 1_767_225_600_000;
const OPERATOR = { kind: 'operator', id: 'operator', role: 'system' } as const;

function uuid5(namespace: string, name: string): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest();
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function idsOf(event: StreamEvent | undefined) {
  const { actor, commandId, requestHash, correlationId, causationId } = event!.meta;
  return { actor, commandId, requestHash, correlationId, causationId };
}

describe('what is derived for a person’s access', () => {
  let world: AccessWorld;
  beforeEach(async () => void (world = await openAccessWorld()));
  afterEach(() => world.close());
  const eventsOf = (stream: string) => world.eventStore.readStream(stream, { limit: 100 });

  test('is the same for the first admin’s invitation as ever', async () => {
    const { invitationId } = await inviteFirstAdmin(world);
    expect(invitationId).toBe('a2e4aa75-7ef3-5be7-8831-82e4fb0c371a');
    const [issued] = await eventsOf(`invitation-${invitationId}`);
    expect(idsOf(issued)).toEqual(idsOf(recordedLog[0]));
    expect(issued?.id).toBe(recordedLog[0]?.id);
  });

  test('is the same for an invitation and for who accepts it', async () => {
    const { invitationId, token } = await inviteAdmin(world);
    const { userId } = await register(world, { ...somebody(), invitation: token });
    const [issued, accepted] = await eventsOf(`invitation-${invitationId}`);
    const issueId = uuid5(REGISTRATION, `${invitationId}/issue`);
    expect(idsOf(issued)).toEqual({
      actor: OPERATOR,
      commandId: issueId,
      requestHash: hashOf(invitationId),
      correlationId: invitationId,
      causationId: issueId,
    });
    const acceptId = uuid5(REGISTRATION, `${userId}/${NOW}/accept`);
    expect(idsOf(accepted)).toEqual({
      actor: { kind: 'person', id: userId, role: 'admin' },
      commandId: acceptId,
      requestHash: hashOf(`${userId}/${NOW}/accept`),
      correlationId: uuid5(REGISTRATION, userId),
      causationId: acceptId,
    });
  });

  test('is the same for an account that is opened', async () => {
    const { userId } = await registered(world);
    const [opened] = await eventsOf(`account-${userId}`);
    const openId = uuid5(REGISTRATION, `${userId}/open`);
    expect(idsOf(opened)).toEqual({
      actor: { kind: 'person', id: userId, role: 'user' },
      commandId: openId,
      requestHash: hashOf(`${userId}/${NOW}/open`),
      correlationId: uuid5(REGISTRATION, userId),
      causationId: openId,
    });
  });

  test('is the same for a sign-in', async () => {
    const { userId, email, password } = await registered(world);
    const { tokens } = await signIn(world, { email, password });
    const { sessionId } = tokens.session;
    const [entered] = await eventsOf(`access-${userId}`);
    const id = uuid5(TRAIL, `${sessionId}/signed in`);
    expect(idsOf(entered)).toEqual({
      actor: { kind: 'person', id: userId, role: 'user' },
      commandId: id,
      requestHash: hashOf(`{"sessionId":"${sessionId}","type":"RecordSignIn"}`),
      correlationId: id,
      causationId: id,
    });
  });

  test('is the same for an erasure', async () => {
    const { userId } = await registered(world);
    await erase(world, userId);
    const forgotten = (await eventsOf(`account-${userId}`)).at(-1);
    const id = uuid5(ERASURE, userId);
    expect(idsOf(forgotten)).toEqual({
      actor: OPERATOR,
      commandId: id,
      requestHash: hashOf(userId),
      correlationId: id,
      causationId: id,
    });
  });
});
