import type { Browser } from 'playwright-core';
import { person } from './browser.js';
import { enterPassword, enterPasswordWhenAsked, type Person } from './people.js';
import type { Program } from './program.js';

/** Signs an admin in, in a browser of their own, and waits for their dashboard. */
export async function adminAt(
  browser: Browser,
  { address }: Pick<Program, 'address'>,
  { email }: Pick<Person, 'email'>,
) {
  const here = await person(browser, { baseURL: address });
  await enterPasswordWhenAsked(here.page);
  await enterPassword(here.page, email);
  await here.page.getByText('Total Users').waitFor();
  return here;
}
