import sharp from 'sharp';

/** A receipt as small as a PDF can be. */
const RECEIPT = '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n';
const SIDE = 640;
const RING_WIDTH = 55;
const RINGS_WITHIN = 290;

function formOf(content: string | Uint8Array<ArrayBuffer>, type: string, name: string): FormData {
  const form = new FormData();
  form.set('file', new Blob([content], { type }), name);
  return form;
}

/** What a customer hands in as proof of a payment. */
export function receipt(): FormData {
  return formOf(RECEIPT, 'application/pdf', 'receipt.pdf');
}

/**
 * A picture in a colour, such as `#5b7f95`: rings, as of something that was sawn through. Every other ring is a fifth lighter.
 *
 * The pixels are set here, since a program that re-encodes what strangers upload reads no drawings (SVG).
 */
export async function picture(colour: string): Promise<FormData> {
  const plain = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const lighter = plain.map((part) => Math.round(part + (255 - part) / 5));
  const pixels = new Uint8Array(SIDE * SIDE * plain.length);
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const inward = RINGS_WITHIN - Math.hypot(x - SIDE / 2, y - SIDE / 2);
      const ring = Math.floor(inward / RING_WIDTH);
      pixels.set(inward > 0 && ring % 2 === 0 ? lighter : plain, (y * SIDE + x) * plain.length);
    }
  }
  const raw = { width: SIDE, height: SIDE, channels: 3 } as const;
  const png = await sharp(pixels, { raw }).png().toBuffer();
  return formOf(new Uint8Array(png), 'image/png', 'picture.png');
}
