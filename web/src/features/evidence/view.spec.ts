import { describe, expect, test } from '@jest/globals';
import { MAX_ZOOM, moved, placed, turned, wholeView, zoomed, type Sizes, type View } from './view';

/** A receipt that stands, in a place that lies. */
const sizes: Sizes = { paper: { width: 1000, height: 2000 }, place: { width: 400, height: 300 } };

describe('a paper in its place', () => {
  test('is there as a whole at first, and again whenever it is turned', () => {
    expect(placed(wholeView, sizes)).toEqual({ scale: 0.15, turn: 0, x: 0, y: 0 });
    const side = turned(zoomed(wholeView, 4, sizes));
    expect(placed(side, sizes)).toEqual({ scale: 0.2, turn: 90, x: 0, y: 0 });
  });

  test('four turns are none', () => {
    expect(turned(turned(turned(turned(wholeView))))).toEqual(wholeView);
  });

  test('grows around the point that is looked at', () => {
    const at = { x: 50, y: -80 };
    const before = { ...wholeView, zoom: 8 };
    const after = zoomed(before, 1.5, sizes, at);
    const under = ({ zoom, x, y }: View) => [(at.x - x) / zoom, (at.y - y) / zoom];
    expect(after.zoom).toBe(12);
    expect(under(after)).toEqual(under(before));
  });

  test.each([
    [1_000, MAX_ZOOM],
    [0.001, 1],
  ])('grown by %d it stays between all of it and the most', (factor, zoom) => {
    expect(zoomed({ ...wholeView, zoom: 2 }, factor, sizes).zoom).toBe(zoom);
  });

  test('is never moved out of sight: its edge stops at the edge of the place', () => {
    expect(moved(wholeView, { x: 500, y: 500 }, sizes)).toEqual(wholeView);
    // Four times as large it is 600 by 1,200.
    const large = zoomed(wholeView, 4, sizes);
    expect(moved(large, { x: 9_000, y: -9_000 }, sizes)).toMatchObject({ x: 100, y: -450 });
    expect(moved(large, { x: -40, y: 60 }, sizes)).toMatchObject({ x: -40, y: 60 });
  });

  test('what was moved aside comes back as it gets smaller', () => {
    const aside = moved(zoomed(wholeView, 4, sizes), { x: 0, y: 450 }, sizes);
    expect(zoomed(aside, 0.25, sizes)).toEqual(wholeView);
  });
});
