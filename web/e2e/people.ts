import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { routes, type Session } from '#contracts';

export const PASSWORD = 'correct horse battery';
/** The smallest file that is honestly a PDF. */
export const PDF = '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n';

type Called = { readonly method: string; readonly path: string };
type Given = {
  readonly body?: object | FormData;
  readonly params?: Readonly<Record<string, string>>;
  /** The position that a command was answered with: a query waits until it knows that place, two seconds at most. */
  readonly after?: string;
};

/** A small picture. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAD0lEQVQI12NowAEYhpYEAILzYAGUMxmUAAAAAElFTkSuQmCC',
  'base64',
);

/** Somebody who speaks to the program's API, as their pages would. */
export type Person = {
  readonly email: string;
  readonly userId: string;
  readonly call: (route: Called, given?: Given) => Promise<Record<string, unknown>>;
};

async function callAt(
  address: string,
  token: string | undefined,
  { method, path }: Called,
  { body, params = {}, after }: Given = {},
): Promise<Record<string, unknown>> {
  const at = path.replace(/:(\w+)/g, (_place, name: string) => params[name] ?? '');
  const isForm = body instanceof FormData;
  const response = await fetch(address + at, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
      ...(after !== undefined && { 'lode-position': after }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok)
    throw new Error(`${method} ${at} was answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Registers somebody and signs them in: an admin with an invitation, else a customer. */
export async function newPerson(
  address: string,
  [firstname, lastname]: readonly [string, string],
  invitation?: string,
): Promise<Person> {
  const email = `${firstname.toLowerCase()}@example.com`;
  const body = { firstname, lastname, email, phone: '+234 800 000 000', password: PASSWORD };
  await callAt(address, undefined, routes.register, {
    body: { ...body, confirmPassword: PASSWORD, ...(invitation !== undefined && { invitation }) },
  });
  return signedIn(address, email);
}

/** Signs somebody in who is registered, in a session of its own. */
export async function signedIn(address: string, email: string): Promise<Person> {
  const session = await callAt(address, undefined, routes.signIn, { body: { email, password: PASSWORD } });
  const { accessToken, user } = session as Session;
  return {
    email,
    userId: user.userId,
    call: (route, given) => callProved(address, accessToken, route, given),
  };
}

/** Calls a route, and enters the password again when that is required: a slow test can take longer than a proof is valid. */
async function callProved(address: string, token: string, route: Called, given?: Given) {
  try {
    return await callAt(address, token, route, given);
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('"code":"step_up_required"'))) throw error;
    await callAt(address, token, routes.stepUp, { body: { proof: { password: PASSWORD } } });
    return callAt(address, token, route, given);
  }
}

const proofOn = (page: Page) => page.getByRole('form', { name: 'Prove that it is you' });

/** Ends `enterPasswordWhenAsked` on a page, for a test of that form. */
export const leavePasswordToTest = (page: Page) => page.removeLocatorHandler(proofOn(page));

/** Has a page of an admin enter the password whenever the page asks for it: a slow test can take longer than a proof is valid. */
export async function enterPasswordWhenAsked(page: Page): Promise<void> {
  const form = proofOn(page);
  await page.addLocatorHandler(form, async () => {
    await form.getByLabel('Your password').fill(PASSWORD);
    await form.getByRole('button', { name: 'Go on' }).click();
  });
}

/** Sends the sign-in page a password: that of somebody of `newPerson`, unless another is given. */
export async function enterPassword(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
}

/** A customer's request to be funded, with its evidence. */
export async function requestFunding(customer: Person, amount: string, currency: string): Promise<string> {
  const form = new FormData();
  form.set('file', new File([PDF], 'receipt.pdf', { type: 'application/pdf' }));
  const { fileId: evidenceId } = await customer.call(routes.uploadEvidence, { body: form });
  const { requestId } = await customer.call(routes.requestFunding, {
    body: { amount, currency, evidenceId },
  });
  return String(requestId);
}

/** Funds a customer's wallet: asked for, and confirmed. Gives the position in the log where it is so. */
export async function fund(
  admin: Person,
  customer: Person,
  amount: string,
  currency: string,
): Promise<string> {
  const requestId = await requestFunding(customer, amount, currency);
  const params = { userId: customer.userId, requestId };
  const { position } = await admin.call(routes.confirmFunding, { params, body: {} });
  return String(position);
}
