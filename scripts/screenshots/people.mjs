/** Who looks at the screens of a demonstration, each at a browser of their own. */
import { randomUUID } from 'node:crypto';
import { routes } from '../../dist/libs/contracts/index.js';

/** Everybody's in the demonstration. */
export const PASSWORD = 'lode-demo';
export const CUSTOMER = 'amara@lode.example';
const ADMIN = 'mary@lode.example';
/** Two who come in for the pictures: one has done nothing yet, the other is suspended meanwhile. */
const NEWCOMER = { firstname: 'Ines', lastname: 'Duarte', email: 'ines@lode.example' };
export const SUSPENDED = { firstname: 'Lena', lastname: 'Holm', email: 'lena@lode.example' };

/** How long a step waits for what it needs, in milliseconds. */
const WAIT_MS = 30_000;
export const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/** The API at an address, called as somebody. */
export function apiAt(address) {
  const call = async ({ method, path }, { params = {}, body, token } = {}) => {
    const at = path.replaceAll(/:(\w+)/g, (_place, name) => params[name]);
    const response = await fetch(address + at, {
      method,
      headers: {
        ...(method !== 'GET' && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${at} answers ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const signIn = (email) => call(routes.signIn, { body: { email, password: PASSWORD } });
  return {
    call,
    signIn,
    join: (person) =>
      call(routes.register, {
        body: { ...person, phone: '+351 21 555 0100', password: PASSWORD, confirmPassword: PASSWORD },
      }),
    /** The number that transfers to somebody name. */
    numberOf: async (email) => {
      const { accessToken: token } = await signIn(email);
      return (await call(routes.me, { token })).accountNumber;
    },
    suspend: async (email) => {
      const { user } = await signIn(email);
      const { accessToken: token } = await signIn(ADMIN);
      await call(routes.suspend, { params: { userId: user.userId }, body: { reason: 'Asked for' }, token });
    },
  };
}

/**
 * What the console may say: a status of 400 and above, which is no fault of a page that shows it, and that a font which was asked
 * for early was not used within seconds, which says how busy the machine is.
 */
const USUAL = ['Failed to load resource', 'was preloaded using link preload but not used'];

/** A page of somebody's own, with everything that it complains about. */
async function openPage(browser, address) {
  const context = await browser.newContext({
    baseURL: address,
    viewport: SIZES.desk,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const complaints = [];
  page.on('pageerror', ({ message }) => complaints.push(`an error: ${message}`));
  page.on('response', (response) => {
    if (response.status() >= 500) complaints.push(`${response.url()} answers ${response.status()}`);
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !USUAL.some((text) => message.text().includes(text)))
      complaints.push(`in the console: ${message.text()}`);
  });
  // Also what a policy only reports, which no console shows as an error.
  await context.addInitScript(() => {
    globalThis.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`the policy refuses ${blockedURI} by ${violatedDirective}`),
    );
  });
  return { page, complaints };
}

async function signedIn(browser, address, email, hasPicture = false) {
  const { page, complaints } = await openPage(browser, address);
  const signIn = async () => {
    await page.context().clearCookies();
    await page.goto('/login');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Login' }).click();
    await page.waitForURL('**/auth/dashboard**');
    await page.locator('main').first().waitFor();
  };
  await signIn();
  const userId = await page.evaluate(`localStorage.getItem('token')`);
  return { page, complaints, userId, hasPicture, signInAgain: signIn };
}

/** Everybody, by who they are. */
export async function everybody(browser, address) {
  const api = apiAt(address);
  for (const person of [NEWCOMER, SUSPENDED]) await api.join(person);
  return {
    visitor: { ...(await openPage(browser, address)), userId: '', hasPicture: false },
    customer: await signedIn(browser, address, CUSTOMER, true),
    newcomer: await signedIn(browser, address, NEWCOMER.email),
    suspended: await signedIn(browser, address, SUSPENDED.email),
    admin: await signedIn(browser, address, ADMIN),
  };
}
