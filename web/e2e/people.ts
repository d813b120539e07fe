import type { Page } from 'playwright-core';
import { routes } from '#contracts';
import type { Client } from '../../services/lode/testing/client.js';
import { keyed, signIn } from '../../services/lode/testing/people.js';
import type { Program } from './program.js';

export const PASSWORD = 'correct horse battery';
/** The smallest file that is honestly a PDF. */
export const PDF = '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n';

/** A small picture. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAD0lEQVQI12NowAEYhpYEAILzYAGUMxmUAAAAAElFTkSuQmCC',
  'base64',
);

/** Somebody who speaks to the program's API, as their pages would. */
export type Person = {
  readonly email: string;
  readonly userId: string;
  /** Calls a route, a command with a key of its own; what it reads has what anybody here has written. */
  readonly get: Client['get'];
};

/** Registers somebody and signs them in: an admin with an invitation, else a customer. */
export async function newPerson(
  program: Program,
  [firstname, lastname]: readonly [string, string],
  invitation?: string,
): Promise<Person> {
  const email = `${firstname.toLowerCase()}@example.com`;
  const body = { firstname, lastname, email, phone: '+234 800 000 000', password: PASSWORD };
  await program.visitor.get('register', {
    body: { ...body, confirmPassword: PASSWORD, ...(invitation !== undefined && { invitation }) },
  });
  return signedIn(program, email);
}

/** Signs somebody in who is registered, in a session of its own. */
export async function signedIn({ visitor }: Program, email: string): Promise<Person> {
  const { userId, api } = await signIn(visitor, { email, password: PASSWORD });
  return {
    email,
    userId,
    get: (name, ask) =>
      api.get(
        name,
        routes[name].method === 'GET' ? ask : { ...ask, headers: { ...keyed(), ...ask?.headers } },
      ),
  };
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
  const { fileId: evidenceId } = await customer.get('uploadEvidence', { form });
  const { requestId } = await customer.get('requestFunding', {
    body: { amount, currency, evidenceId },
  });
  return requestId;
}

/** Funds a customer's wallet: asked for, and confirmed. */
export async function fund(admin: Person, customer: Person, amount: string, currency: string): Promise<void> {
  const requestId = await requestFunding(customer, amount, currency);
  const params = { userId: customer.userId, requestId };
  await admin.get('confirmFunding', { params, body: {} });
}
