import { describe, expect, test } from '@jest/globals';
import { FILE_BYTES_MAX, fileAnswer } from '#contracts';
import { fileLimits, mediaTypeOf, mediaTypes, SAMPLE_BYTES } from '#files';
import { accepted } from './contract/samples.js';

describe('the types of files', () => {
  test('are told from a beginning as well as from the whole', async () => {
    for (const [type, content] of accepted)
      expect(
        await mediaTypeOf(Buffer.concat([content, Buffer.alloc(SAMPLE_BYTES)]).subarray(0, SAMPLE_BYTES)),
      ).toBe(type);
  });

  test('of a PNG with a long text before its image is told', async () => {
    const png = accepted.find(([type]) => type === 'image/png')?.[1] ?? Buffer.alloc(0);
    const length = SAMPLE_BYTES * 2;
    const header = Buffer.alloc(8);
    header.writeUInt32BE(length);
    header.write('tEXt', 4);
    const long = Buffer.concat([png.subarray(0, 33), header, Buffer.alloc(length + 4), png.subarray(33)]);
    expect(await mediaTypeOf(long.subarray(0, SAMPLE_BYTES))).toBe('image/png');
  });

  test('and their size are those that the contract promises', () => {
    expect([...mediaTypes].sort()).toEqual([...fileAnswer.shape.mediaType.options].sort());
    expect(fileLimits.bytes).toBe(FILE_BYTES_MAX);
  });
});
