import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { freePort } from '#kernel/testing/port';
import { chromiumPath, launch, person, type Complaints } from './browser.js';
import { lookAt } from './look.js';
import { enterPassword, fund, newPerson, PASSWORD, type Person } from './people.js';
import { startProgram, type Program } from './program.js';
import { said } from './said.js';

if (chromiumPath === undefined)
  console.warn('not run: passkeys in a browser (no Chromium here; set CHROMIUM)');

const SETTINGS = '/auth/account-setting/dashboard';

const inBrowser = chromiumPath === undefined ? describe.skip : describe;

inBrowser('passkeys in a browser', () => {
  let program: Program;
  let browser: Browser;
  let admin: Person;
  let amara: Person;
  let jonas: Person;
  let page: Page;
  let devices: CDPSession;
  let authenticatorId: string;
  let complaints: Complaints;

  beforeAll(async () => {
    const port = await freePort();
    const address = `http://localhost:${port}`;
    program = await startProgram({ PORT: String(port), LODE_PUBLIC_URL: address });
    admin = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    amara = await newPerson(program, ['Amara', 'Nwosu']);
    jonas = await newPerson(program, ['Jonas', 'Lindqvist']);
    await fund(admin, amara, '500', 'USDT');
    browser = await launch(chromiumPath ?? '');
    const opened = await person(browser, { baseURL: address });
    ({ page, complaints } = opened);
    devices = await opened.context.newCDPSession(page);
    await devices.send('WebAuthn.enable');
    ({ authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    }));
    await enterPassword(page, amara.email);
    await page.waitForURL('**/auth/dashboard');
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  const form = (name: string) => page.getByRole('form', { name });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const signOut = async () => {
    await page.goto('/auth/dashboard');
    await page.getByRole('navigation', { name: 'Actions' }).getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL((url) => url.pathname === '/');
  };

  test('one is made in settings, and the recovery codes are shown', async () => {
    await page.goto(SETTINGS);
    await form('Add a passkey').getByLabel('Your password').fill(PASSWORD);
    await press('Add a passkey');
    await page.getByLabel('Name of the passkey').fill('Work laptop');
    await lookAt(page, 'passkey-name');
    await press('Make the passkey');
    const codes = page.getByRole('region', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    expect(await codes.count()).toBe(10);
    await press('I have kept them');
    await page.getByRole('list', { name: 'Passkeys' }).getByText('Work laptop').waitFor();
    await said(page, /not used yet/);
    await lookAt(page, 'settings-passkeys');
    const { credentials } = await devices.send('WebAuthn.getCredentials', { authenticatorId });
    expect(credentials.map(({ rpId }) => rpId)).toEqual(['localhost']);
  });

  test('it signs in beside the password, and one that is refused there is asked for again calmly', async () => {
    await signOut();
    await enterPassword(page, amara.email);
    const use = page.getByRole('button', { name: 'Use your passkey' });
    await use.waitFor();
    await lookAt(page, 'login-passkey');
    await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await use.click();
    await said(page, 'No passkey was used. Try again when you are ready.');
    await lookAt(page, 'login-passkey-canceled');
    await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await use.click();
    await page.waitForURL('**/auth/dashboard');
  });

  test('it stands for the pin of a transfer', async () => {
    const { accountNumber } = await jonas.get('me');
    await page.goto('/auth/transfer/dashboard');
    await page.getByLabel('Account number').fill(accountNumber);
    await page.locator('[readonly][value="Jonas Lindqvist"]').waitFor();
    await page.getByRole('radio', { name: /^USDT/ }).check();
    await page.getByLabel('Amount, USD').fill('75');
    expect(await page.getByLabel('Transfer pin').count()).toBe(0);
    await lookAt(page, 'transfer-passkey');
    await press('Submit transfer');
    await said(page, 'Transfer submitted successfully!');
    await page.waitForURL('**/transfer-history/*');
  });

  test('once it is removed by itself, the password alone signs in', async () => {
    await page.goto(SETTINGS);
    await said(page, /last used/);
    await press('Remove Work laptop');
    await lookAt(page, 'passkey-removal');
    await form('Remove a passkey').getByRole('button', { name: 'Use a passkey' }).click();
    await form('Remove a passkey').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('list', { name: 'Passkeys' }).waitFor({ state: 'detached' });
    await said(page, 'None yet. With one, signing in asks');
    await signOut();
    await enterPassword(page, amara.email);
    await page.waitForURL('**/auth/dashboard');
    expect(await page.getByRole('button', { name: 'Use your passkey' }).count()).toBe(0);
  });

  test('where the address is a number, the page says why there are none', async () => {
    const other = await person(browser, { baseURL: program.address.replace('localhost', '127.0.0.1') });
    await enterPassword(other.page, jonas.email);
    await other.page.waitForURL('**/auth/dashboard');
    await other.page.goto(SETTINGS);
    await other.page.getByText(/no passkeys to an address that is a number/).waitFor();
    expect(await other.page.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0);
    expect(other.complaints).toEqual([]);
    await other.context.close();
  });

  test('an admin says that admins need one, and another one makes a passkey before anything else', async () => {
    const { token } = await admin.get('inviteAdmin');
    const noor = await newPerson(program, ['Noor', 'Haddad'], token);
    const makePasskey = async (name: string) => {
      await form('Add a passkey').getByLabel('Your password').fill(PASSWORD);
      await press('Add a passkey');
      await page.getByLabel('Name of the passkey').fill(name);
      await press('Make the passkey');
      await press('I have kept them');
    };
    const enter = async ({ email }: Person) => {
      await page.context().clearCookies();
      await enterPassword(page, email);
    };
    await enter(admin);
    await said(page, 'Total Users');
    await page.goto(SETTINGS);
    await makePasskey('Office');
    await form('Second factor for admins').getByRole('button', { name: 'Switch on' }).click();
    await said(page, /^On\. An admin who has no second factor/);
    await enter(noor);
    await page.getByRole('heading', { name: 'Set up your second factor' }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    await lookAt(page, 'second-factor-first');
    await makePasskey('Noor’s telephone');
    await said(page, 'Total Users');
    expect(await page.getByRole('navigation').count()).toBeGreaterThan(0);
  });

  test('no page complained', () => {
    expect(complaints).toEqual([]);
  });
});
