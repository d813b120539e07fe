import { beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { mediaTypeOf, purposeRules } from '#files';
import { bomb, moving, pictures } from '../testing/index.js';
import { reencode } from './reencode.js';

const types = ['png', 'jpeg', 'webp', 'gif'] as const;

/** Has every marker that an upload must lose. */
const SCRIPT = Buffer.from('<script>alert(1)</script>PK\x03\x04');

let samples: Awaited<ReturnType<typeof pictures>>;
beforeAll(async () => {
  samples = await pictures();
});

describe('an image that is stored', () => {
  test.each(types)('is a WebP of the same picture: %s', async (type) => {
    const stored = await reencode(samples[type], `image/${type}`, 'evidence');
    expect(await mediaTypeOf(stored)).toBe('image/webp');
    const { data, info } = await sharp(stored).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([64, 48]);
    for (const [n, shade] of [20, 90, 160].entries())
      expect(Math.abs((data[n] ?? 0) - shade)).toBeLessThan(8);
  });

  test('says nothing of where it was taken and by whom', async () => {
    expect((await sharp(samples.jpeg).metadata()).exif).toBeDefined();
    const stored = await reencode(samples.jpeg, 'image/jpeg', 'evidence');
    const { exif, xmp, iptc, icc } = await sharp(stored).metadata();
    expect([exif, xmp, iptc, icc]).toEqual([undefined, undefined, undefined, undefined]);
    expect(stored.includes('Ann')).toBe(false);
  });

  test('stands upright before its orientation is dropped', async () => {
    const lying = await sharp(samples.jpeg).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { width, height } = await sharp(await reencode(lying, 'image/jpeg', 'evidence')).metadata();
    expect([width, height]).toEqual([48, 64]);
  });

  test.each(types)('keeps nothing that stood behind its end: %s', async (type) => {
    const stored = await reencode(Buffer.concat([samples[type], SCRIPT]), `image/${type}`, 'product-image');
    expect(stored.includes('script')).toBe(false);
    expect(stored.equals(await reencode(samples[type], `image/${type}`, 'product-image'))).toBe(true);
  });

  test('is the first frame of one that moves', async () => {
    const stored = await reencode(await moving(5), 'image/gif', 'product-image');
    const { pages, width, height } = await sharp(stored).metadata();
    expect([pages ?? 1, width, height]).toEqual([1, 16, 16]);
    expect((await sharp(stored).raw().toBuffer())[0]).toBeLessThan(16);
  });

  test('is no larger than its purpose needs', async () => {
    const side = purposeRules['profile-image'].sidePixels;
    const { png } = await pictures({ width: side * 2, height: side });
    const { width, height } = await sharp(await reencode(png, 'image/png', 'profile-image')).metadata();
    expect([width, height]).toEqual([side, side / 2]);
  });
});

describe('an image is refused', () => {
  test.each(types)('when it is cut off: %s', async (type) => {
    const { [type]: whole } = await pictures({ width: 400, height: 300 });
    const half = whole.subarray(0, Math.floor(whole.length * 0.6));
    await expect(reencode(half, `image/${type}`, 'evidence')).rejects.toMatchObject({ code: 'file_type' });
  });

  test.each([
    [50_001, 1_000],
    [65_000, 65_000],
    [2_000_000_000, 2_000_000_000],
  ])('when it says that it has too many pixels, before any is decoded: %d × %d', async (width, height) => {
    // A decoder would come to the missing rows, and call it damaged.
    await expect(reencode(bomb(width, height, 0), 'image/png', 'evidence')).rejects.toMatchObject(
      width * height < 2 ** 32
        ? { code: 'file_too_large', message: 'Please choose an image of at most 50 megapixels.' }
        : { code: expect.stringMatching(/^file_(?:too_large|type)$/) },
    );
  });

  test('when it is another type than its first bytes say', async () => {
    await expect(reencode(samples.png, 'image/jpeg', 'evidence')).rejects.toMatchObject({
      code: 'file_type',
    });
  });

  test('when it is of a type that is not taken, whatever it calls itself', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    await expect(reencode(svg, 'image/png', 'evidence')).rejects.toMatchObject({ code: 'file_type' });
    const tiff = await sharp(samples.png).tiff().toBuffer();
    await expect(reencode(tiff, 'image/png', 'evidence')).rejects.toMatchObject({ code: 'file_type' });
  });
});
