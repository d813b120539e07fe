import { randomUUID } from 'node:crypto';
import type { Client, Given } from './client.js';

/** A person who is signed in. */
export type Person = {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
  /** The API as this person sees it. */
  readonly api: Client;
  /** The refresh cookie, as it is sent back. */
  readonly cookie: string;
};

export const PASSWORD = 'correct horse';

/** A registration's body that nothing is wrong with. */
export function newPerson(firstname: string) {
  const email = `${firstname.toLowerCase()}-${randomUUID()}@example.org`;
  return { firstname, lastname: 'Miller', email, phone: '+41 44 000 00 00', password: PASSWORD };
}

/** Registers a customer (an admin, with an invitation) and signs in. */
export async function join(visitor: Client, firstname: string, invitation?: string): Promise<Person> {
  const body = newPerson(firstname);
  await visitor.get('register', { body: { ...body, ...(invitation === undefined ? {} : { invitation }) } });
  return signIn(visitor, body);
}

/** Opens a session. */
export async function signIn(
  visitor: Client,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Person> {
  const answer = await visitor.call('signIn', { body: { email, password } });
  if (answer.status !== 200) throw new Error(`signing in answered with ${answer.status}: ${answer.text}`);
  const { accessToken, user } = answer.json as Given<'refresh'>;
  return {
    userId: user.userId,
    email,
    password,
    api: visitor.as(accessToken, { email, password }),
    cookie: cookieIn(answer.headers),
  };
}

/** The API at another address, or of a program that was started again, for somebody who is signed in. */
export function apiOf(visitor: Client, person: Person): Client {
  return visitor.as(person.api.token, person);
}

/** The first cookie of an answer, as it is sent back. */
export function cookieIn(headers: Headers): string {
  return headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** The token in the link that makes the first admin. */
export function invitationIn(path: string | undefined): string {
  return new URLSearchParams(path?.split('#')[1]).get('invitation') ?? '';
}

/** The smallest PDF that a reader opens. */
export const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n' +
    'trailer<</Root 1 0 R>>\n%%EOF\n',
);

/** The smallest PNG: one pixel. */
export const PNG: Uint8Array<ArrayBuffer> = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);

/** A form with files, each under the name `file`. */
export function formOf(...files: readonly Uint8Array<ArrayBuffer>[]): FormData {
  const form = new FormData();
  for (const file of files)
    form.append('file', new Blob([file], { type: 'application/pdf' }), 'evidence.pdf');
  return form;
}

/** Hands in payment evidence; answers with its id. */
export async function upload({ api }: Pick<Person, 'api'>): Promise<string> {
  const { fileId } = await api.get('uploadEvidence', { form: formOf(new Uint8Array(PDF)) });
  return fileId;
}

/** The header that every command needs; a new key when none is given. */
export function keyed(key: string = randomUUID()): Record<string, string> {
  return { 'Idempotency-Key': key };
}

/** Asks for the wallet to be funded, with evidence of its own unless one is given. */
export async function requestFunding(
  person: Person,
  amount = '100.00',
  evidenceId?: string,
): Promise<Given<'requestFunding'>> {
  const body = { amount, currency: 'BTC', evidenceId: evidenceId ?? (await upload(person)) };
  return person.api.get('requestFunding', { body, headers: keyed() });
}

/** Confirms a customer's request. */
export function confirmFunding(
  admin: Person,
  { userId }: { readonly userId: string },
  requestId: string,
): Promise<Given<'confirmFunding'>> {
  return admin.api.get('confirmFunding', { params: { userId, requestId }, body: {}, headers: keyed() });
}

/** A product's body that nothing is wrong with: its images are uploaded for it. */
export async function newProduct({ api }: Person, productName = 'Rig One') {
  const form = () => formOf(PNG);
  const [image, ownerImage] = [
    await api.get('uploadProductImage', { form: form() }),
    await api.get('uploadProductImage', { form: form() }),
  ];
  const recommended = await api.get('uploadRecommendedImage', { form: form() });
  return {
    amount: '249.99',
    ownerName: 'Mary Okafor',
    productName,
    description: 'Six cards, quiet.',
    title: 'A rig for a start',
    subtitle: 'Ready to run',
    image: image.fileId,
    ownerImage: ownerImage.fileId,
    recommendedImages: [recommended.fileId],
  };
}

/** Uploads a product, with images of its own. */
export async function createProduct(admin: Person, productName?: string): Promise<Given<'createProduct'>> {
  return admin.api.get('createProduct', { body: await newProduct(admin, productName), headers: keyed() });
}
