import { LodeError } from '#kernel';

/** Links that one person, or one e-mail, is sent at once, and how long until there may be one more: milliseconds. */
export const LINKS_PER_PERSON = { burst: 3, everyMs: 20 * 60_000 };
/** The same of what is asked for from one network, for whomever: whoever has many accounts uses up nobody else's. */
export const LINKS_PER_NETWORK = { burst: 20, everyMs: 60_000 };
/** Networks that are remembered; the one that asked longest ago is forgotten first. */
export const NETWORKS_MAX = 100_000;

/** The refusal of a link that was not sent. */
export function tooManyLinks(waitMs: number): LodeError {
  return new LodeError('rate_limited', 'Too many links were asked for. Please wait a little.', {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  });
}
