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

/** The events of the log that fit a filter of the explorer. */
export function eventsOf(filter: Readonly<Record<string, string>>): string {
  return `${paths.events}?${new URLSearchParams(filter).toString()}`;
}

/** A stream, from one of its events on; from its last where none is given. */
export function streamAt(stream: string, revision?: number): string {
  const from = revision === undefined ? {} : { revision: String(revision) };
  return `${paths.streams}?${new URLSearchParams({ stream, ...from }).toString()}`;
}

/** Anybody's account at one of its events; at the last where none is given. */
export function travelOf(userId: string, revision?: number): string {
  const path = paths.travel.replace(':userId', encodeURIComponent(userId));
  return revision === undefined ? path : `${path}?at=${revision}`;
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

/** All that the log has of one person. */
export function caseFileOf(userId: string): string {
  return paths.caseFile.replace(':userId', encodeURIComponent(userId));
}

/** The page that admins have of one person. */
export function personAt(userId: string): string {
  return paths.person.replace(':userId', encodeURIComponent(userId));
}
