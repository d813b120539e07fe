/** The pages of the table that the server and the router go by, and what is opened on them, each with who looks at it. */
import { pagePaths, sitePaths } from '../../dist/libs/contracts/index.js';
import { coming } from './camera.mjs';

/** Pages of admins, by their name in the table of pages; some are customers' as well, and look otherwise to them. */
const OF_ADMINS = ['adminDashboard'];
const OF_BOTH = ['dashboard', 'transactions', 'settings'];
/** Screens that are opened on a page, by its address or by what is done there. */
const OPENED = {
  why: { path: `${pagePaths.dashboard}?why=USDT` },
  notifications: { path: pagePaths.dashboard, act: openNotifications },
};

const whoLooksAt = (name) =>
  name in sitePaths ? 'visitor' : OF_ADMINS.includes(name) ? 'admin' : 'customer';

/** The names of the pages that somebody looks at. */
export function pagesOf(who) {
  const isTheirs = (name) => whoLooksAt(name) === who || (who === 'admin' && OF_BOTH.includes(name));
  return Object.keys(pagePaths).filter(isTheirs);
}

/** Every page with who looks at it; `product` is the name of one that is sold. */
export function pages(product) {
  const row = (name, who) => ({
    name: who === whoLooksAt(name) ? name : `${name}-${who}`,
    path: pagePaths[name].replace(':productName', encodeURIComponent(product)),
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
