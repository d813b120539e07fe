// Takes money from asking to being shown, by the client that was generated. Copied beside that, compiled and run there.
import { createClient, createConfig } from './client/client/index.js';
import * as lode from './client/sdk.gen.js';
import type { paths } from './types.js';

declare const process: { readonly argv: readonly string[] };

/** What the other generator's types say of the same request. */
type FundRequest = paths['/api/fund-requests']['post']['requestBody']['content']['application/json'];

const [, , baseUrl = '', invitation = ''] = process.argv;
const PASSWORD = 'correct horse';
const PDF =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n' +
  'trailer<</Root 1 0 R>>\n%%EOF\n';

function clientFor(token?: string) {
  return createClient(
    createConfig({ baseUrl, throwOnError: true, ...(token === undefined ? {} : { auth: token }) }),
  );
}

/** Registers somebody and signs them in. */
async function join(firstname: string, more: { readonly invitation?: string } = {}) {
  const email = `${firstname.toLowerCase()}@example.org`;
  const visitor = { client: clientFor(), throwOnError: true } as const;
  const person = { firstname, lastname: 'Miller', email, phone: '+41 44 000 00 00', password: PASSWORD };
  await lode.register({ ...visitor, body: { ...person, ...more } });
  const { data } = await lode.signIn({ ...visitor, body: { email, password: PASSWORD } });
  if (!('user' in data)) throw new Error('A second step is asked for, of whoever has no second factor.');
  return {
    userId: data.user.userId,
    as: { client: clientFor(data.accessToken), throwOnError: true } as const,
  };
}

const keyed = () => ({ 'Idempotency-Key': crypto.randomUUID() });

const admin = await join('Ada', { invitation });
const ann = await join('Ann');
const file = new File([PDF], 'evidence.pdf', { type: 'application/pdf' });
const evidence = await lode.uploadEvidence({ ...ann.as, body: { file } });
const body: FundRequest = { amount: '100.00', currency: 'BTC', evidenceId: evidence.data.fileId };
const request = await lode.requestFunding({ ...ann.as, headers: keyed(), body });
const path = { userId: ann.userId, requestId: request.data.requestId };
const confirmed = await lode.confirmFunding({ ...admin.as, path, headers: keyed(), body: {} });
const shown = await lode.getAccount({
  ...ann.as,
  path: { userId: ann.userId },
  headers: { 'Lode-Position': confirmed.response.headers.get('lode-position') ?? '' },
});
const { available } = shown.data.wallet;
if (available !== '100.00') throw new Error(`the wallet has ${available}`);
