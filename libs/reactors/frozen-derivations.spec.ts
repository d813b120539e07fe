import { describe, expect, test } from '@jest/globals';
import { positionOf, type RecordedEvent } from '#kernel';
import { access, contextFor, erasure, mail, transfers, type Reactor } from '#reactors';

/*
 * What the ids of a reactor's commands are derived from is storage: a version that derives them otherwise would, begun
 * anew, carry out again what was carried out before. These values are never to be changed.
 */

const WORTH = {
  ...{ amount: '15.00', converted: '0.00025000', currency: 'BTC', price: '60000' },
  postings: [],
};
const REQUEST = 'AAAAAAAAAABBBBBBBBBBCCCCCCCCCCDDDD';

function event(stream: string, type: string, data: RecordedEvent['data'] = {}): RecordedEvent {
  return {
    at: '2026-01-08T09:00:00.000Z',
    data,
    id: '461c9f7a-c87d-5238-a59d-4b78cfa03a4d',
    meta: {
      actor: { id: 'ada', kind: 'person', role: 'admin' },
      causationId: '00720b82-b01d-5742-a438-701dfa9a263b',
      chain: '0'.repeat(64),
      commandId: '00720b82-b01d-5742-a438-701dfa9a263b',
      correlationId: '2f1c0c0e-5f0b-4c8e-9a43-6d6f0b3e7a10',
      requestHash: 'none',
    },
    position: positionOf(7),
    revision: 3,
    stream,
    type,
    version: 1,
  };
}

const all = [access, erasure, mail, transfers] as readonly Reactor<unknown>[];

/** What follows from an event, each with its reactor, its stream and the ids of its command. */
function followUps(cause: RecordedEvent): readonly string[] {
  return all.flatMap((reactor) =>
    (reactor.handles.includes(cause.type) ? reactor.on(cause) : []).map(({ stream, step }) => {
      const { actor, commandId, requestHash, correlationId, causationId } = contextFor(
        reactor.name,
        cause,
        step,
      );
      expect(actor).toEqual({ kind: 'system', id: reactor.name, role: 'system' });
      expect([correlationId, causationId]).toEqual([cause.meta.correlationId, cause.id]);
      return `${reactor.name} ${stream} ${commandId} ${requestHash}`;
    }),
  );
}

describe('the commands that follow', () => {
  test.each([
    [
      'a sign-in',
      event('access-ann', 'SignedIn', { sessionId: 's1' }),
      [
        'access account-ann 34d8d41a-ddff-5464-a193-7f6b9fd0d683 d3c3732c9d5a4668c2c1cc78e114eadbf3db8597a19de91c03fe8cd342785f66',
      ],
    ],
    [
      'a suspension',
      event('account-ann', 'AccountSuspended'),
      [
        'access access-ann 6d969a60-dbfc-53fb-8a8d-5c8f8811fa29 555c09d7a7102fbecfe98e3eaa243ec0bdc408379a29c6183744dfea420189e1',
      ],
    ],
    [
      'an activation',
      event('account-ann', 'AccountActivated'),
      [
        'access access-ann 6d969a60-dbfc-53fb-8a8d-5c8f8811fa29 555c09d7a7102fbecfe98e3eaa243ec0bdc408379a29c6183744dfea420189e1',
      ],
    ],
    [
      'an erasure',
      event('account-ann', 'PersonForgotten', { role: 'user' }),
      [
        'access access-ann 6d969a60-dbfc-53fb-8a8d-5c8f8811fa29 555c09d7a7102fbecfe98e3eaa243ec0bdc408379a29c6183744dfea420189e1',
        'erasure account-ann e0a421a3-c593-5c09-836d-d627dc9d82c4 a114b0d614caa2b45ecfcbbac9ab42398d85f5073c5be83ed50c13e94b0fc0b5',
      ],
    ],
    [
      'a message that is forgotten',
      event('message-m1', 'MessageForgotten'),
      [
        'erasure message-m1 c46a1a75-bcbd-59d6-977e-4055b10170d6 0e7caed3e50229dc7069b8f7ffa4df94773b6ad85d8f2b43c0dbdaf3bc8fec24',
      ],
    ],
    [
      'a new password',
      event('access-ann', 'PasswordReset'),
      [
        'mail access-ann b426d348-75f1-58ee-b284-5c95e10d11e6 fe8b32cafa760163cb29a2e8ac10a0336d1628d8646320d946751c082eeb087b',
      ],
    ],
    [
      'another second factor',
      event('access-ann', 'SecondFactorChanged', { change: 'removed' }),
      [
        'mail access-ann b426d348-75f1-58ee-b284-5c95e10d11e6 fe8b32cafa760163cb29a2e8ac10a0336d1628d8646320d946751c082eeb087b',
      ],
    ],
    [
      'another e-mail address that was asked for',
      event('access-ann', 'EmailChangeAsked'),
      [
        'mail access-ann b426d348-75f1-58ee-b284-5c95e10d11e6 fe8b32cafa760163cb29a2e8ac10a0336d1628d8646320d946751c082eeb087b',
      ],
    ],
    [
      'another e-mail address that was confirmed',
      event('access-ann', 'EmailChangeConfirmed', { changeId: 'c', emails: 'v1.x', epoch: 1, session: 's1' }),
      [
        'access access-ann ca03b715-d02d-5f7f-bb66-68206ca5e35a 2cc43a27f8e299bb7e564f4c1c7e780d00e7b44b4acd3cbae091a2760858d857',
      ],
    ],
    [
      'another e-mail address',
      event('access-ann', 'EmailChanged'),
      [
        'mail access-ann b426d348-75f1-58ee-b284-5c95e10d11e6 fe8b32cafa760163cb29a2e8ac10a0336d1628d8646320d946751c082eeb087b',
      ],
    ],
    [
      'a request that was confirmed',
      event('account-ann', 'FundingConfirmed', { ...WORTH, requestId: REQUEST }),
      [
        'mail account-ann b426d348-75f1-58ee-b284-5c95e10d11e6 fe8b32cafa760163cb29a2e8ac10a0336d1628d8646320d946751c082eeb087b',
      ],
    ],
    [
      'a transfer to a customer',
      event('account-ann', 'TransferConfirmed', {
        ...WORTH,
        requestId: REQUEST,
        receiver: { accountNumber: '3012345678', userId: 'bob' },
      }),
      [
        'mail account-ann b426d348-75f1-58ee-b284-5c95e10d11e6 fe8b32cafa760163cb29a2e8ac10a0336d1628d8646320d946751c082eeb087b',
        'transfers account-bob ff576c85-e10c-5d43-b9dd-8d449cea697f e398d1e1b6d2deee72c697f22f9f3407b6c0ba57fcbcd2c3a667baba24fdbd56',
      ],
    ],
    [
      'a transfer to a bank',
      event('account-ann', 'TransferConfirmed', { ...WORTH, requestId: REQUEST, receiver: null }),
      [
        'mail account-ann b426d348-75f1-58ee-b284-5c95e10d11e6 fe8b32cafa760163cb29a2e8ac10a0336d1628d8646320d946751c082eeb087b',
      ],
    ],
    [
      'a transfer that was received',
      event('account-bob', 'TransferReceived', { ...WORTH, from: 'ann', transferId: REQUEST }),
      [
        'transfers account-ann eb161ad8-bbbf-5c57-9f04-57d33ad1d63c 915c50f916799ce9f7e4e32db7a51a38680a9c49e04fe0c947632f2718f6eb46',
      ],
    ],
    [
      'a transfer that was refused',
      event('account-bob', 'TransferRefused', { ...WORTH, from: 'ann', transferId: REQUEST }),
      [
        'transfers account-ann b33ab2b1-2b5c-576d-b8fb-991ac6179589 c61ce2e41779bbecc0044917746c7bf4f2a879c4d86d073ff669da9b67c34405',
      ],
    ],
  ])('%s have the ids that they always had', (_, cause, ids) => {
    expect(followUps(cause)).toEqual(ids);
  });
});
