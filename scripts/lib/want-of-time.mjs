/** What a test file is said to be not run for that came too late; see `until.mjs`. */
export const WANT_OF_TIME = 'for want of time';
