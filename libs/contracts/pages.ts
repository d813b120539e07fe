import { userId } from './common.js';
import { productName } from './products.js';

/** The pages of the public site, which the server writes. */
export const sitePaths = {
  site: '/',
  about: '/who-we-are',
  contact: '/Contact-us',
  risk: '/risk',
  fees: '/fees',
  terms: '/terms',
  privacy: '/privacy',
  widget: '/widget',
  products: '/products',
  product: '/products/:productName',
  status: '/status',
  login: '/login',
  register: '/register',
  registerAdmin: '/auth/register',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  confirmEmail: '/confirm-email',
} as const;
export type SitePage = keyof typeof sitePaths;

/** The pages of the back office, which nobody but admins has. */
export const adminPaths = {
  adminDashboard: '/auth/dashboard/admin',
  figures: '/auth/figures/dashboard',
  projections: '/auth/system/projections',
  jobs: '/auth/system/jobs',
  engines: '/auth/system/engines',
  events: '/auth/audit/events',
  streams: '/auth/audit/streams',
  travel: '/auth/audit/account/:userId',
  caseFile: '/auth/audit/case/:userId',
  trialBalance: '/auth/audit/trial-balance',
  activity: '/auth/audit/activity',
  security: '/auth/audit/security',
  prices: '/auth/prices/dashboard',
  bonusPolicy: '/auth/bonus-policy/dashboard',
  depositDetails: '/auth/deposit-details/dashboard',
  mails: '/auth/mails/dashboard',
  approvals: '/auth/approvals/dashboard',
  approvalLimits: '/auth/approval-limits/dashboard',
  users: '/auth/User/dashboard',
  person: '/auth/User/dashboard/:userId',
  createUser: '/auth/create-new-account/dashboard',
  invitations: '/auth/invitations/dashboard',
  admins: '/auth/admins/dashboard',
  uploadProduct: '/upload/admin',
  productList: '/upload/product',
  siteContent: '/auth/site-content/dashboard',
} as const;

/** Every page that there is: the router of the pages and the server are made from this table. */
export const pagePaths = {
  ...sitePaths,
  ...adminPaths,
  dashboard: '/auth/dashboard',
  newRequest: '/auth/loan/dashboard',
  fund: '/auth/fund-account/dashboard',
  transactions: '/auth/transaction/dashboard',
  transfer: '/auth/transfer/dashboard',
  transferHistory: '/transfer-history/:userId',
  withdraw: '/auth/withdrawal-request/dashboard',
  withdrawalHistory: '/withdrawal-request-history/:userId',
  assets: '/auth/assets/:userId',
  statement: '/auth/statement/dashboard',
  history: '/auth/history/dashboard',
  settings: '/auth/account-setting/dashboard',
  support: '/auth/account-support/dashboard',
  fundHistory: '/fund-request-history/:userId',
} as const;

/** The document that draws PDFs within a page, which is no page itself. */
export const PDF_FRAME_PATH = '/pdf-frame';

const patterns: readonly (readonly string[])[] = Object.values(pagePaths).map(partsOf);
const siteNames = Object.keys(sitePaths).filter((name): name is SitePage => name in sitePaths);

/** Whether there is a page at a path, whose parts are compared as the router does: in any case, with or without a last slash. */
export function isPage(path: string): boolean {
  const parts = partsOf(path);
  return patterns.some((pattern) => matches(pattern, parts));
}

/**
 * The page of the public site at a path, which is compared as `isPage` does, and the name in it, which is empty for most;
 * undefined when there is none.
 */
export function sitePageAt(path: string): { readonly page: SitePage; readonly name: string } | undefined {
  const parts = partsOf(path);
  const page = siteNames.find((one) => matches(partsOf(sitePaths[one]), parts));
  if (page === undefined) return undefined;
  return { page, name: page === 'product' ? (decoded(parts.at(-1) ?? '') ?? '') : '' };
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  return pattern.length === parts.length && pattern.every((expected, at) => fits(expected, parts[at] ?? ''));
}

function partsOf(path: string): readonly string[] {
  return path.replace(/\/+$/, '').split('/').slice(1);
}

function fits(expected: string, part: string): boolean {
  if (!expected.startsWith(':')) return expected.toLowerCase() === part.toLowerCase();
  if (expected === ':productName') return productName.safeParse(decoded(part)).success;
  return userId.safeParse(part).success;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
