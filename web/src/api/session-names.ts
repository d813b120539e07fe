/** Holds the user id, for links only. It proves nothing; that it is there says that a refresh is worth trying. */
export const USER_ID_ITEM = 'token';
/** Where the tabs of a browser tell each other of a session. */
export const SESSION_CHANNEL = 'lode-session';
/** What renews a session does so one after another, in all tabs. */
export const REFRESH_LOCK = 'lode-refresh';
