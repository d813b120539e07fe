import { describe, expect, test } from '@jest/globals';
import { platformDecider, type Platform, type PlatformEvent } from '#ledger';
import { foldFrozen, testExamples } from '#ledger/contract';

/** A stream as it stands in logs that people have; never change a line (see the account's). */
const stream = [
  String.raw`{"type":"PlatformFounded","data":{"platformId":"0b7c5a7e-4c0f-4e51-9d0a-6f2f5d1c8e42"},"id":"a2eda61e-95ec-5db0-8759-a4c0e9d6a3c6","version":1,"stream":"platform","revision":0,"at":"2026-01-01T12:00:00.000Z","meta":{"actor":{"kind":"operator","id":"operator","role":"system"},"commandId":"3f0f6a54-6f52-4c0e-8b1e-2f8c0a5f3d11","requestHash":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","correlationId":"3f0f6a54-6f52-4c0e-8b1e-2f8c0a5f3d11","causationId":"3f0f6a54-6f52-4c0e-8b1e-2f8c0a5f3d11","chain":"6f4c59bdd047b4d75d37912bb79df25e8b7b31a6a67230678a507ddb8d4fe0ec"}}`,
  String.raw`{"type":"ClockAccepted","data":{"instant":"2026-03-01T10:00:00.000Z","reason":"The server had been set to a wrong year.","was":"2027-04-05T10:00:00.000Z"},"id":"9dc2c856-fcda-5afd-a359-1a1e9a2d567f","version":1,"stream":"platform","revision":1,"at":"2026-03-01T10:00:00.000Z","meta":{"actor":{"kind":"operator","id":"operator","role":"system"},"commandId":"7e1d5a34-90b2-4d1f-8a3c-5b2f6e4d9c10","requestHash":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","correlationId":"7e1d5a34-90b2-4d1f-8a3c-5b2f6e4d9c10","causationId":"7e1d5a34-90b2-4d1f-8a3c-5b2f6e4d9c10","chain":"ec4d1c2eb4d681a7a727cab6c593cc0ed3ee2c5757d4a55213d4870382f0b513"}}`,
  String.raw`{"type":"StoresAccepted","data":{"found":{"changes":12,"position":"512"},"reason":"The disk was replaced.","was":{"changes":14,"position":"545"},"wrong":["The log ends at position 512, but it went on to 545: 33 events since then are lost."]},"id":"068a5ae6-ce90-5dd0-9b9c-9578ec860221","version":1,"stream":"platform","revision":2,"at":"2026-03-02T10:00:00.000Z","meta":{"actor":{"kind":"operator","id":"operator","role":"system"},"commandId":"c0b51d62-7f3e-4d07-9a51-0d9f4e2b7a18","requestHash":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","correlationId":"c0b51d62-7f3e-4d07-9a51-0d9f4e2b7a18","causationId":"c0b51d62-7f3e-4d07-9a51-0d9f4e2b7a18","chain":"2134bad07da439b289471a5de054811416fb5c06fbbada1e0762825923895df9"}}`,
];

describe('the events of the platform are frozen', () => {
  testExamples(platformDecider.codecs, [stream]);

  test('the stored stream gives the state that it always gave', () => {
    expect(foldFrozen<PlatformEvent, Platform>(platformDecider, stream)).toEqual({
      kind: 'founded',
      platformId: '0b7c5a7e-4c0f-4e51-9d0a-6f2f5d1c8e42',
      clocks: { count: 1, instant: '2026-03-01T10:00:00.000Z', ceiling: '2027-04-05T10:00:00.000Z' },
    });
  });
});
