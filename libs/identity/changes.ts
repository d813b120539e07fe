import { isEngineError, isLodeError, type Clock, type LodeError } from '#kernel';
import { damagedRowIn } from './damage.js';
import type { IdentityStore } from './port.js';

/** How long after a change that failed another is tried, where nobody asks for one; milliseconds. */
const TRY_AGAIN_MS = 5_000;

/** Whether a store takes changes, by those that were asked of it. */
export type Changes = {
  /**
   * Why it took none when it was last asked to; undefined when it did. Where nobody asks it again, it is tried by a write
   * that changes nothing, once in a while, so that what was mended is noticed.
   */
  readonly refusal: () => Promise<LodeError | undefined>;
};

/** The store, and whether it takes changes. */
export function watchChanges(
  store: IdentityStore,
  monotonic: Clock,
): { readonly store: IdentityStore; readonly changes: Changes } {
  let refusal: LodeError | undefined;
  let triedAt = 0;
  const watched =
    <Asked extends readonly unknown[], Answer>(change: (...asked: Asked) => Promise<Answer>) =>
    async (...asked: Asked): Promise<Answer> => {
      triedAt = monotonic();
      try {
        const answer = await change(...asked);
        refusal = undefined;
        return answer;
      } catch (error) {
        if (isLodeError(error) && isRefusal(error)) refusal = error;
        throw error;
      }
    };
  const tryChange = watched(store.tryChange);
  let underWay: Promise<void> | undefined;
  return {
    store: {
      ...store,
      reserve: watched(store.reserve),
      takeOver: watched(store.takeOver),
      activate: watched(store.activate),
      release: watched(store.release),
      setPassword: watched(store.setPassword),
      changePassword: watched(store.changePassword),
      changeEmail: watched(store.changeEmail),
      suspend: watched(store.suspend),
      reinstate: watched(store.reinstate),
      eraseCredential: watched(store.eraseCredential),
      putPin: watched(store.putPin),
      changeSecondFactor: watched(store.changeSecondFactor),
      putNetwork: watched(store.putNetwork),
      beginRequest: watched(store.beginRequest),
      answerRequest: watched(store.answerRequest),
      takePinTry: watched(store.takePinTry),
      createPersonKey: watched(store.createPersonKey),
      destroyPersonKey: watched(store.destroyPersonKey),
      openSession: watched(store.openSession),
      rotate: watched(store.rotate),
      proveSession: watched(store.proveSession),
      endSession: watched(store.endSession),
      endSessionsOf: watched(store.endSessionsOf),
      putInvitationToken: watched(store.putInvitationToken),
      queueMail: watched(store.queueMail),
      putLink: watched(store.putLink),
      tryChange,
    },
    changes: {
      refusal: async () => {
        if (refusal !== undefined && monotonic() - triedAt >= TRY_AGAIN_MS) {
          // What it fails with is what is told.
          underWay ??= tryChange().catch(() => undefined);
          await underWay;
          underWay = undefined;
        }
        return refusal;
      },
    },
  };
}

/** Not what keeps one person's row, or one of two at once, from being changed. */
function isRefusal(error: LodeError): boolean {
  return (
    isEngineError(error) &&
    !['conflict', 'overloaded'].includes(error.code) &&
    damagedRowIn(error) === undefined
  );
}
