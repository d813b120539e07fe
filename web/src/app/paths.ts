import { pagePaths as paths } from '#contracts';

export { paths };

/** Where somebody comes to whose account was just closed: the sign-in page, which says so. */
export const loginAfterClosing = `${paths.login}#closed`;

export function fundHistoryOf(userId: string): string {
  return paths.fundHistory.replace(':userId', encodeURIComponent(userId));
}

export function withdrawalHistoryOf(userId: string): string {
  return paths.withdrawalHistory.replace(':userId', encodeURIComponent(userId));
}

export function transferHistoryOf(userId: string): string {
  return paths.transferHistory.replace(':userId', encodeURIComponent(userId));
}

export function assetsOf(userId: string): string {
  return paths.assets.replace(':userId', encodeURIComponent(userId));
}

/** The history of one's own account, at one of its events. */
export function historyAt(revision: number): string {
  return `${paths.history}?at=${revision}`;
}

/** The sign-in page, which comes back to `from` when that is a page of this app. */
export function loginFor(from: string): string {
  return from === paths.dashboard
    ? paths.login
    : `${paths.login}?${new URLSearchParams({ next: from }).toString()}`;
}
