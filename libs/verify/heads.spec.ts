import { expect, test } from '@jest/globals';
import { parsePosition } from '#kernel';
import { describeMismatch, type LogHeads } from './heads.js';

const kept: LogHeads = {
  platformId: '7a4d3f57-6f0f-4dd4-8a57-1a1f2f0c9d10',
  position: parsePosition('9')!,
  events: 9,
  streams: 4,
  digest: 'a'.repeat(64),
};

test.each<[string, Partial<LogHeads>, RegExp | undefined]>([
  ['the same heads', {}, undefined],
  ['heads at another position, as on another engine', { position: parsePosition('700')! }, undefined],
  ['fewer events', { events: 8 }, /ends after 8 of the 9 events/],
  ['another platform', { platformId: 'b6e7' }, /is of the platform b6e7/],
  ['no platform', { platformId: undefined }, /is of the platform none/],
  ['other events in as many streams', { digest: 'b'.repeat(64) }, /first 9 events are not those/],
  ['another number of streams', { streams: 5 }, /first 9 events are not those/],
])('the mismatch of %s', (_, changed, expected) => {
  const mismatch = describeMismatch(kept, { ...kept, ...changed });
  expect(mismatch).toEqual(expected && expect.stringMatching(expected));
});
