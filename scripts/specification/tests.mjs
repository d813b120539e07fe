// Names for the test files that the specification uses. A test is named by its title or its full name. `*` stands for any
// text, as in the title of a table's tests. It is needed where only a run knows the text.
const of = (file) => (name) => [file, name];
const spec = (folder, suffix) => (file, name) => [`${folder}/${file}${suffix}`, name];

export const site = of('web/e2e/site.e2e.spec.ts');
export const withoutScripts = of('web/e2e/site-without-scripts.e2e.spec.ts');
export const journey = of('web/e2e/journey.e2e.spec.ts');
export const requests = of('web/e2e/requests.e2e.spec.ts');
export const secondFactor = of('web/e2e/second-factor.e2e.spec.ts');
export const wallet = of('web/e2e/wallet.e2e.spec.ts');
export const people = of('web/e2e/admin-people.e2e.spec.ts');
export const approving = of('web/e2e/admin-approvals.e2e.spec.ts');
export const desks = of('web/e2e/admin-desks.e2e.spec.ts');
export const audit = of('web/e2e/admin-audit.e2e.spec.ts');
export const platform = of('web/e2e/admin-platform.e2e.spec.ts');
export const system = of('web/e2e/admin-system.e2e.spec.ts');
export const figures = of('web/e2e/admin-figures.e2e.spec.ts');
export const duties = of('web/e2e/admin-duties.e2e.spec.ts');
export const outcomes = of('web/e2e/admin-outcomes.e2e.spec.ts');
export const failingAdmins = of('web/e2e/admin-failing.e2e.spec.ts');
export const eventsList = of('web/e2e/admin-events-list.e2e.spec.ts');
export const keyboard = of('web/e2e/keyboard-admin.e2e.spec.ts');
export const evidence = of('web/e2e/admin-evidence.e2e.spec.ts');
export const failing = of('web/e2e/failing.e2e.spec.ts');
export const pages = of('libs/site/site.spec.ts');
export const served = of('services/api/pages/pages.int.spec.ts');
export const content = of('libs/contracts/content/content.spec.ts');
export const catalogue = of('services/api/testing/catalogue.int.spec.ts');
export const access = of('services/api/access/access.int.spec.ts');
export const toolkit = of('services/api/identity-toolkit/identity-toolkit.int.spec.ts');
export const model = of('libs/commands/model.spec.ts');
export const identity = of('libs/identity/sqlite/store.int.spec.ts');
export const settings = of('libs/ledger/settings/settings.spec.ts');
export const ledger = spec('libs/ledger/account', '.spec.ts');
export const application = spec('libs/application', '.int.spec.ts');
export const mail = of('services/api/mail/mail.int.spec.ts');
export const api = spec('services/api', '.int.spec.ts');
export const web = spec('web/src', '.spec.tsx');
export const display = of('web/src/lib/display.spec.ts');
export const toasts = of('web/src/ui/toast-list.spec.tsx');

/** Lines of one part, whose names begin with it. A line has tests, and may have a screen and the number of a decision record. */
export function part(name, rows) {
  return rows.map(([words, tests, more = {}]) => ({ line: `${name}: ${words}`, tests, ...more }));
}
