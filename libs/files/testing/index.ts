import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

export { film } from '../contract/samples.js';

/** Where a picture says it was taken. */
export const PLACE = '47/1 22/1 36/1';

type Made = { readonly width?: number; readonly height?: number };

/** Real pictures, one of each type that is taken; the JPEG says where it was taken. */
export async function pictures({ width = 64, height = 48 }: Made = {}): Promise<
  Readonly<Record<'png' | 'jpeg' | 'webp' | 'gif', Buffer>>
> {
  const picture = () =>
    sharp({ create: { width, height, channels: 3, background: { r: 20, g: 90, b: 160 } } });
  return {
    png: await picture().png().toBuffer(),
    jpeg: await picture()
      .withExif({ IFD0: { Copyright: 'Ann' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: PLACE } })
      .jpeg()
      .toBuffer(),
    webp: await picture().webp().toBuffer(),
    gif: await picture().gif().toBuffer(),
  };
}

/** A PNG that says how large it is, and in a few bytes would unpack to that: nothing but zeros. */
export function bomb(width: number, height: number, rows = 1): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a channel, red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(rows * (width * 3 + 1)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** A GIF of as many frames, each of another colour. */
export async function moving(frames: number): Promise<Buffer> {
  const side = 16;
  const channels = 3;
  const pixels = Buffer.alloc(side * side * frames * channels);
  for (let n = 0; n < frames; n++) {
    const shade = Math.round((255 * n) / Math.max(1, frames - 1));
    pixels.fill(shade, n * side * side * channels, (n + 1) * side * side * channels);
  }
  return sharp(pixels, { raw: { width: side, height: side * frames, channels, pageHeight: side } })
    .gif({ loop: 0, delay: Array<number>(frames).fill(100) })
    .toBuffer();
}
