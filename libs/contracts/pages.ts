import { userId } from './common.js';

/** Every page that there is: the router of the pages and the server are made from this table. */
export const pagePaths = {
  site: '/',
  login: '/login',
  register: '/register',
  registerAdmin: '/auth/register',
  dashboard: '/auth/dashboard',
  adminDashboard: '/auth/dashboard/admin',
  fund: '/auth/fund-account/dashboard',
  transactions: '/auth/transaction/dashboard',
  fundHistory: '/fund-request-history/:userId',
} as const;

const patterns: readonly (readonly string[])[] = Object.values(pagePaths).map(partsOf);

/** Whether there is a page at a path, whose parts are compared as the router does: in any case, with or without a last slash. */
export function isPage(path: string): boolean {
  const parts = partsOf(path);
  return patterns.some(
    (pattern) =>
      pattern.length === parts.length && pattern.every((expected, at) => fits(expected, parts[at] ?? '')),
  );
}

function partsOf(path: string): readonly string[] {
  return path.replace(/\/+$/, '').split('/').slice(1);
}

function fits(expected: string, part: string): boolean {
  if (!expected.startsWith(':')) return expected.toLowerCase() === part.toLowerCase();
  return userId.safeParse(part).success;
}
