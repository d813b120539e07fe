/** The smallest things that are honestly what they say, and some that are not. */
const latin = (text: string) => Buffer.from(text, 'latin1');

const PIXEL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PIXEL_GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

export const pdf: Buffer = latin('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');
export const png: Buffer = Buffer.from(PIXEL_PNG, 'base64');

/** An MP4 of one brand: what a film begins with, and no frame. */
const filmOf = (brand: string) => latin(`\0\0\0\x14ftyp${brand}\0\0\x02\0isom\0\0\0\x08mdat`);
export const film: Buffer = filmOf('isom');

export const accepted: readonly (readonly [string, Buffer])[] = [
  ['application/pdf', pdf],
  ['image/png', png],
  ['image/gif', Buffer.from(PIXEL_GIF, 'base64')],
  ['image/jpeg', latin('\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xd9')],
  [
    'image/webp',
    latin('RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88'),
  ],
  ['video/mp4', film],
  ['video/mp4', filmOf('mp42')],
];

const animated = Buffer.concat([
  png.subarray(0, 33),
  latin('\0\0\0\x08acTL\0\0\0\x01\0\0\0\0\0\0\0\0'),
  png.subarray(33),
]);

export const refused: readonly (readonly [string, Buffer])[] = [
  ['text that is named a PDF', latin('This is my payment. evidence.pdf')],
  ['a page', latin('<!doctype html><script>alert(1)</script>')],
  ['SVG', latin('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a page with a PDF behind it', Buffer.concat([latin('<script>/*'), pdf, latin('*/alert(1)</script>')])],
  ['a PDF behind a byte order mark', Buffer.concat([latin('\xef\xbb\xbf'), pdf])],
  ['a PDF behind an ID3 tag', Buffer.concat([latin('ID3\x04\0\0\0\0\0\x0a'), Buffer.alloc(10), pdf])],
  ['text that begins like a GIF', latin('GIFT voucher')],
  ['half of a PNG’s signature', latin('\x89PNG and then nothing')],
  ['a PNG’s signature and no image', latin('\x89PNG\r\n\x1a\n<script>alert(1)</script>')],
  ['a moving PNG', animated],
  ['a RIFF that is sound', latin('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0')],
  ['a ZIP', latin('PK\x03\x04\x14\0\0\0\0\0')],
  ['a ZIP with a PDF in it', Buffer.concat([latin('PK\x03\x04\x14\0\0\0\0\0'), pdf])],
  ['a program', latin('\x7fELF\x02\x01\x01\0')],
  ['a TIFF', latin('II*\0\x08\0\0\0')],
  ['a film of another player', filmOf('qt  ')],
  ['a picture that begins like a film', filmOf('avif')],
  ['sound that begins like a film', filmOf('M4A ')],
  ['a film whose beginning would be a gigabyte', Buffer.concat([latin('\x40'), film.subarray(1)])],
  ['a page with a film behind it', Buffer.concat([latin('<script>'), film])],
  ['the first byte of a JPEG', latin('\xff')],
  ['spaces', latin(' '.repeat(4_096))],
];

/** A PDF of exactly `bytes` bytes. */
export function pdfOf(bytes: number): Buffer {
  return Buffer.concat([pdf, Buffer.alloc(bytes - pdf.length, 0x20)]);
}
