import { describe, expect, test } from '@jest/globals';
import { readFromFrame, readToFrame, resolutionOf } from './messages';

const NOTHING = [undefined, null, 1, 'ready', [], {}, { kind: 'run' }, { kind: ['ready'] }];

describe('what the page hears of the frame', () => {
  test.each([
    { kind: 'ready' },
    { kind: 'opened', pages: 10_000 },
    { kind: 'page', page: 2, width: 595, height: 842 },
    { kind: 'drawn', page: 2 },
    { kind: 'failed', why: 'encrypted' },
  ])('%j', (message) => {
    expect(readFromFrame({ ...message, more: 'that nobody asked for' })).toEqual(message);
  });

  test.each([
    ...NOTHING,
    { kind: 'opened', pages: 0 },
    { kind: 'opened', pages: 1.5 },
    { kind: 'opened', pages: '3' },
    { kind: 'opened', pages: 1e9 },
    { kind: 'page', page: 1, width: Number.NaN, height: 842 },
    { kind: 'page', page: 1, width: 595, height: 0 },
    { kind: 'page', page: 1, width: 595, height: Number.POSITIVE_INFINITY },
    { kind: 'failed', why: '<b>Pay here</b>' },
    { kind: 'open', bytes: new ArrayBuffer(1) },
  ])('nothing of %j', (message) => {
    expect(readFromFrame(message)).toBeUndefined();
  });
});

describe('what the frame hears of the page', () => {
  test.each([
    { kind: 'open', bytes: new ArrayBuffer(4) },
    { kind: 'page', page: 10_000 },
    { kind: 'place', scale: 0.5, turn: 90, x: -10, y: 0 },
  ])('%j', (message) => {
    expect(readToFrame({ ...message, more: 1 })).toEqual(message);
  });

  test.each([
    ...NOTHING,
    { kind: 'open', bytes: 'https://elsewhere.example/a.pdf' },
    { kind: 'page', page: -1 },
    { kind: 'place', scale: 0, turn: 0, x: 0, y: 0 },
    { kind: 'place', scale: 1e9, turn: 0, x: 0, y: 0 },
    { kind: 'place', scale: 1, turn: '90deg', x: 0, y: 0 },
  ])('nothing of %j', (message) => {
    expect(readToFrame(message)).toBeUndefined();
  });
});

describe('a page on its canvas', () => {
  test('has the pixels that are wanted', () => {
    expect(resolutionOf({ width: 595, height: 842 }, 2)).toBe(2);
  });
  test.each([
    { width: 595, height: 842 },
    { width: 100_000, height: 100_000 },
    { width: 1, height: 100_000 },
  ])('%j never has more than a canvas can', (page) => {
    const resolution = resolutionOf(page, 1_000);
    expect(page.width * page.height * resolution ** 2).toBeLessThanOrEqual(16_000_001);
    expect(Math.max(page.width, page.height) * resolution).toBeLessThanOrEqual(8_192.001);
  });
});
