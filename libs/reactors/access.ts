import { invariant } from '#kernel';
import { accountStream } from '#ledger';
import type { Reactor } from './reactor.js';

/** What follows from coming in: whoever carries it out adds the bonus policy that is in force then. */
export type AccessCommand = { readonly type: 'StartBonusCycle' };

/** The streams of sign-ins, `access-{userId}`. */
const STREAM_PREFIX = 'access-';

/** Starts the bonus cycle at a person's first sign-in; at every later one the account finds it started. */
export const access: Reactor<AccessCommand> = {
  name: 'access',
  handles: ['SignedIn'],
  keyOf: ({ stream }) => stream,
  on: ({ stream }) => {
    invariant(stream.startsWith(STREAM_PREFIX), 'a person signs in in a stream of access');
    const userId = stream.slice(STREAM_PREFIX.length);
    return [{ stream: accountStream(userId), step: 'start-bonus', command: { type: 'StartBonusCycle' } }];
  },
};
