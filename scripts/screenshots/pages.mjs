/** The pages of the table that the server and the router go by, and what is opened on them, each with who looks at it. */
import { adminPaths, pagePaths, sitePaths } from '../../dist/libs/contracts/index.js';
import { coming } from './camera.mjs';

/** Pages of customers, by their name in the table of pages, that are admins' as well, and look otherwise to them. */
const OF_BOTH = [
  'dashboard',
  'transactions',
  'fund',
  'withdrawalHistory',
  'transferHistory',
  'fundHistory',
  'support',
  'settings',
];
/** Pages of admins that are about a customer. */
const ABOUT_CUSTOMERS = ['caseFile', 'person', 'travel'];
/** Screens that are opened on a page, by its address or by what is done there. */
const OPENED = {
  why: { path: `${pagePaths.dashboard}?why=USDT` },
  notifications: { path: pagePaths.dashboard, act: openNotifications },
};

const whoLooksAt = (name) => (name in sitePaths ? 'visitor' : name in adminPaths ? 'admin' : 'customer');

/** The names of the pages that somebody looks at. */
export function pagesOf(who) {
  const isTheirs = (name) => whoLooksAt(name) === who || (who === 'admin' && OF_BOTH.includes(name));
  return Object.keys(pagePaths).filter(isTheirs);
}

/** Every page with who looks at it; `product` is the name of one that is sold, `customer` the id of whom admins look at. */
export function pages(product, customer) {
  const pathOf = (name) =>
    ABOUT_CUSTOMERS.includes(name) ? pagePaths[name].replace(':userId', customer) : pagePaths[name];
  const row = (name, who) => ({
    name: who === whoLooksAt(name) ? name : `${name}-${who}`,
    path: pathOf(name).replace(':productName', encodeURIComponent(product)),
    who,
  });
  const rows = ['visitor', 'customer', 'admin'].flatMap((who) => pagesOf(who).map((name) => row(name, who)));
  const opened = Object.entries(OPENED).map(([name, one]) => ({ name, ...one, who: 'customer' }));
  return [...rows, ...opened];
}

/** Opens the bell's list. */
export async function openNotifications({ page }) {
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await page.getByRole('dialog').waitFor();
  await coming(page).waitFor({ state: 'detached' });
}
