import { SendMails, type Bus } from '#application';
import type { JobKind } from '#jobs';
import type { Actor } from '#kernel';

const EVERY_MS = 60_000;
const ATTEMPTS = 1;
const MAIL: Actor = { id: 'mail', kind: 'system', role: 'system' };

/** Sends mails that wait: what was queued while the mail server was away, or by a program that then ended. */
export function mailJob(bus: Pick<Bus, 'execute'>): JobKind {
  return {
    name: 'mail',
    everyMs: () => EVERY_MS,
    attempts: ATTEMPTS,
    run: async ({ signal }) => {
      // One that is cut off is sent again.
      const cut = new Promise<never>((_, reject) => {
        const stop = () => reject(new Error('the run was told to end'));
        if (signal.aborted) stop();
        else signal.addEventListener('abort', stop, { once: true });
      });
      return { ...(await Promise.race([bus.execute(new SendMails({ actor: MAIL })), cut])) };
    },
  };
}
