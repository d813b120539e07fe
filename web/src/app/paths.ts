import { pagePaths as paths } from '#contracts';

export { paths };

export function fundHistoryOf(userId: string): string {
  return paths.fundHistory.replace(':userId', encodeURIComponent(userId));
}

/** The sign-in page, which comes back to `from` when that is a page of this app. */
export function loginFor(from: string): string {
  return from === paths.dashboard
    ? paths.login
    : `${paths.login}?${new URLSearchParams({ next: from }).toString()}`;
}

/** Where to go after a sign-in: only ever to a path of this origin. */
export function afterLogin(search: URLSearchParams): string {
  const next = search.get('next') ?? '';
  return /^\/[a-z]/i.test(next) ? next : paths.dashboard;
}
