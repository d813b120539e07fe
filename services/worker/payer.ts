import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { createExecutor } from '#commands';
import { joinEngines } from '#engines';
import { systemClock, serializeError } from '#kernel';
import { accountDecider } from '#ledger';
import type { FromPayer, PayerData, ToPayer } from './payer-messages.js';
import { payersOn } from './payers.js';

/** After commands, before the projector, which a run leaves far behind in any case. */
const NICE = 5;

/** A thread that pays the bonus: an executor of accounts beside the program's, on the same log. */
function serve(port: NonNullable<typeof parentPort>, { engines }: PayerData): void {
  const say = (message: FromPayer) => port.postMessage(message);
  const store = joinEngines(engines).openEvents();
  const { pay } = payersOn(createExecutor({ store, decider: accountDecider, clock: systemClock }));

  port.on('message', (message: ToPayer) => {
    if (message.kind === 'close') {
      void store.close().then(() => port.close());
      return;
    }
    const { number, batch } = message;
    pay(batch).then(
      (tally) => say({ kind: 'paid', batch: number, tally }),
      (error: unknown) => say({ kind: 'failed', batch: number, ...serializeError(error) }),
    );
  });
}

if (parentPort !== null) {
  // Where cores are few, commands go first. On Linux this is the thread's own priority; elsewhere it would be the program's.
  if (process.platform === 'linux') setPriority(NICE);
  serve(parentPort, workerData as PayerData);
}
