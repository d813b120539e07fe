import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import {
  canonicalJson,
  commandIdOf,
  eventId,
  partitionOf,
  randomAlphanumeric,
  sha256,
  uuidV5,
} from '#kernel';

/* What ids and hashes are derived from is storage: these values are never to be changed. */

const ANN = '7d0c1d5e-3f0a-4a63-9f0f-0a8f2b1c3d4e';

describe('what is derived', () => {
  test.each([
    ['a person’s', ANN, `account-${ANN}`, 'key-1', 'b8f9f645-dc68-5fd2-9418-9ea769eea9d6'],
    ['a visitor’s', 'visitor 192.0.2.0/24', 'message-1', '~!"#$%&', '2af709a9-2f04-5779-8581-8d42210f04b7'],
    ['one in a stream that all share', ANN, 'settings-global', 'ü', 'ca75b6d3-8b5f-5893-8b7e-f5c84f2e47c9'],
  ])('is the id of a command: %s', (_, sender, stream, key, id) => {
    expect(commandIdOf(sender, stream, key)).toBe(id);
  });

  test.each([
    [0, 'ae92f9a7-2536-549a-b842-e804b83e7a3f'],
    [1, '29f4650e-553f-5915-a078-aff08947aec3'],
    [1_023, 'ea7c5c66-6401-5eaf-b2f6-ebbbd6527805'],
  ])('is the id of event %i of a command', (index, id) => {
    expect(eventId('8c6ba364-7216-531c-9869-26a138ea41bb', index)).toBe(id);
  });

  test('is the id of a name in a namespace', () => {
    expect(uuidV5('0c1f3f4e-52c1-5d52-9a55-6c5f7b1f5d90', '2026-01-08T06:00:00.000Z')).toBe(
      '5f4c5fe9-5208-57d5-a8f8-b6a7ed887e3f',
    );
    expect(uuidV5('0C1F3F4E-52C1-5D52-9A55-6C5F7B1F5D90', 'ü ✓')).toBe(
      '79923fef-7ecd-587b-bc5d-4b35c46507d6',
    );
  });

  test.each([
    ['a person', ANN, 600],
    ['what there is one of', '', 910],
    ['the settings', 'global', 512],
    ['a moment', '2026-01-08T06:00:00.000Z', 133],
    ['anything', 'ü', 385],
  ])('is the partition of streams about %s', (_, subject, partition) => {
    expect(partitionOf(subject)).toBe(partition);
  });

  test('is the hash of a request', () => {
    const body = {
      reason: ' déjà vu ✓ ',
      amounts: { USDT: '1.5', BTC: '2' },
      list: [{ b: 1, a: null }],
      none: undefined,
    };
    expect(sha256(`POST /api/accounts/1/adjustments?from=desk\n${canonicalJson(body)}`)).toBe(
      '39970545c2201c8b2e30aef57f4ec1f81a9acc1f7655a26ffee4f4d88ffc70e8',
    );
  });

  test('is an id from a stream of bytes', () => {
    let drawn = 0;
    const bytesOf = (bytes: number) =>
      createHash('shake256', { outputLength: bytes }).update(`a seed ${drawn++}`).digest();
    expect(randomAlphanumeric(bytesOf, 35)).toBe('zLNQddk36eo0IcOpaDbfVM8WcrYX8aN6I2g');
  });
});
