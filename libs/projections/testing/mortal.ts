import { openSqliteReadStore } from '#read-store/sqlite';
import { createProjectionRunner } from '../index.js';
import { memoryLog } from './log.js';
import { noted, notes } from './notes.js';

/**
 * A program of its own that folds a log with an event in it whose handling ends the process, as running out of memory
 * would. Its argument is the file of the read models; it ends by itself once it got past that event.
 */
const EVENTS = 3_000;
const POISON = 2_345;

const [file = ''] = process.argv.slice(2);
const store = openSqliteReadStore({ file });
const activated = Promise.withResolvers<undefined>();
const runner = createProjectionRunner({
  log: memoryLog(Array.from({ length: EVENTS }, (_, n) => noted(n + 1, `s${n % 50}`))),
  store,
  models: [
    notes(({ position }) => {
      if (position === String(POISON)) process.kill(process.pid, 'SIGKILL');
    }),
  ],
  open: (event) => event,
  report: ({ type }) => {
    if (type === 'activated') activated.resolve(undefined);
  },
});
runner.start();
const alive = setInterval(() => {}, 60_000);
await activated.promise;
clearInterval(alive);
await runner.stop();
await store.close();
