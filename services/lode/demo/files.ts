import sharp from 'sharp';

/** A receipt as small as a PDF can be. */
const RECEIPT = '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n';
const SIDE = 640;

function formOf(content: string | Uint8Array<ArrayBuffer>, type: string, name: string): FormData {
  const form = new FormData();
  form.set('file', new Blob([content], { type }), name);
  return form;
}

/** What a customer hands in as proof of a payment. */
export function receipt(): FormData {
  return formOf(RECEIPT, 'application/pdf', 'receipt.pdf');
}

/** A picture in a colour: rings, as of something that was sawn through. */
export async function picture(colour: string): Promise<FormData> {
  const rings = [290, 235, 180, 125, 70].map(
    (radius, n) =>
      `<circle cx="320" cy="320" r="${radius}" fill="${n % 2 === 0 ? '#ffffff' : colour}" fill-opacity="${n % 2 === 0 ? 0.18 : 0.9}"/>`,
  );
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}"><rect width="100%" height="100%" fill="${colour}"/>${rings.join('')}</svg>`;
  const png = await sharp(Buffer.from(drawn)).png().toBuffer();
  return formOf(new Uint8Array(png), 'image/png', 'picture.png');
}
