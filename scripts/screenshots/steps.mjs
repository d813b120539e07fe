/** The steps that states of screens are brought about by, each given the page and what else is at hand, and what is looked for then. */
import sharp from 'sharp';
import { routes } from '../../dist/libs/contracts/index.js';
import { PASSWORD } from './people.mjs';

export const refusal = (status, code, detail) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'about:blank', title: 'Refused', status, code, detail }),
});
export const AWAY = refusal(503, 'unavailable', "A part of Lode can't be reached. Try again in a moment.");
export const OVER = refusal(401, 'token_expired', 'The session has expired.');
export const answer = (content) => ({ contentType: 'application/json', body: JSON.stringify(content) });

const isOfSessions = ({ pathname }) => pathname.startsWith('/api/auth/') || pathname === routes.live.path;
const isCall = (url) => url.pathname.startsWith('/api/') && !isOfSessions(url);
const isRead = (route) => route.request().method() === 'GET';
/** What is read, or what is sent, is refused; what is read is kept waiting; what is sent is answered with. */
export const refuseReads = ({ page }) =>
  page.route(isCall, (route) => (isRead(route) ? route.fulfill(AWAY) : route.fallback()));
export const refuseSends = ({ page }) =>
  page.route(isCall, (route) => (isRead(route) ? route.fallback() : route.fulfill(AWAY)));
export const holdReads = ({ page }) =>
  page.route(isCall, (route) => (isRead(route) ? undefined : route.fallback()));
/** Whether an address is one of a route. */
const isAt = ({ path }) => {
  const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
  return ({ pathname }) => pattern.test(pathname);
};
/** What is asked of a route is answered with that; another route at its address is not. */
export const answerAt =
  (route, given) =>
  ({ page }) =>
    page.route(isAt(route), (asked) =>
      asked.request().method() === route.method ? asked.fulfill(given) : asked.fallback(),
    );
/** What is asked of a route is answered with what may come there. */
export const contentAt = (route, content) => (given) =>
  answerAt(route, answer(route.answer.parse(content)))(given);
/** What a route answers is changed in some of its fields. */
export const changedAt =
  (route, changes) =>
  ({ page }) =>
    page.route(isAt(route), async (asked) => {
      if (asked.request().method() !== route.method) return asked.fallback();
      const response = await asked.fetch();
      return asked.fulfill({ response, json: { ...(await response.json()), ...changes } });
    });
/** A route is asked after all. */
export const letThrough =
  (route) =>
  ({ page }) =>
    page.route(isAt(route), (asked) => asked.continue());

export const button = (name) => (page) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first();
/** Presses a button, which is remembered as what toasts speak of. */
export const press =
  (name) =>
  async ({ page }) => {
    await button(name)(page).evaluate((element) => element.setAttribute('data-used', ''));
    await button(name)(page).click();
  };
export const open =
  (name) =>
  ({ page }) =>
    button(name)(page).click();
export const fill =
  (fields) =>
  async ({ page }) => {
    for (const [label, words] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).fill(words);
  };
export const choose =
  (name) =>
  ({ page }) =>
    page.getByRole('radio', { name }).check();
export const all =
  (...acts) =>
  async (given) => {
    for (const act of acts) await act(given);
  };
export const text = (words) => (page) => page.getByText(words).first();
export const heading = (name) => (page) => page.getByRole('heading', { name }).first();
export const inForm = (name) => (page) => page.getByRole('form', { name, exact: true });
/** Fills fields of one form of several, and sends it. */
export const send =
  (name, fields, submit) =>
  async ({ page }) => {
    const form = inForm(name)(page);
    for (const [label, words] of Object.entries(fields)) await form.getByLabel(label).fill(words);
    await form.getByRole('button', { name: submit, exact: true }).click();
  };
export const inDialog = (name) => (page) => page.getByRole('dialog', { name }).getByRole('heading', { name });
export const toast = (words) => (page) => page.locator('.Toastify__toast').getByText(words);
export const retry = button('Retry');
/** How long a link is tried that something may come over, in milliseconds. */
const PRESS_MS = 5_000;
const sessionOver = (page) => page.getByRole('dialog', { name: 'Your session is over' });
/** Goes to another screen of the app, as its menu does, unless the session is over by then. */
export const leave = ({ page }) => {
  const link = page.getByRole('link', { name: 'Settings' }).filter({ visible: true }).first();
  // The live stream may tell first that the session is over, and nothing behind the dialog can be pressed then.
  return Promise.any([link.click({ timeout: PRESS_MS }), sessionOver(page).waitFor()]);
};
/** Shows the password in the dialog of a session that is over. */
export const signInAgain = async ({ page }) => {
  const dialog = sessionOver(page);
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Login' }).click();
};

export const chooseFile =
  (label) =>
  async ({ page }) => {
    const colour = { r: 176, g: 104, b: 60 };
    const picture = sharp({ create: { width: 640, height: 480, channels: 3, background: colour } });
    const buffer = await picture.png().toBuffer();
    await page.getByLabel(label).setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer });
  };
