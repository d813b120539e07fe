import { expect, test } from '@jest/globals';
import { startOverwriter } from '#sqlite';

const threadOf = (program: string) => new URL(`data:text/javascript,${encodeURIComponent(program)}`);
/** A thread that does so when it is told what to overwrite. */
const threadThat = (what: string) =>
  threadOf(
    `import { parentPort } from 'node:worker_threads'; parentPort.once('message', () => { ${what} });`,
  );

/** Threads that answer and end at once: which of the two is heard first must not matter. */
const ANSWERS = 10;
const NOWHERE = { file: 'nowhere.sqlite' };
const REPEAT = { code: 'unavailable', message: 'What was erased is not yet overwritten. Please repeat.' };

test.each([
  ['fails', 'throw new Error("no memory");'],
  ['ends without a word', 'process.exit(0);'],
])('a thread that %s has its caller repeat', async (_, what) => {
  const overwrite = await startOverwriter(threadThat(what));
  await expect(overwrite(NOWHERE)).rejects.toMatchObject(REPEAT);
});

test('a thread that answers and ends at once has answered', async () => {
  const thread = threadThat('parentPort.postMessage({ kind: "done" }); process.exit(0);');
  for (let n = 0; n < ANSWERS; n++) expect(await (await startOverwriter(thread))(NOWHERE)).toBe(true);
});

test.each(['file:///nowhere/thread.js', 'http://nowhere/thread.js'])(
  'a thread that can’t be started, as of %s, has its caller repeat',
  async (thread) => {
    const overwriting = startOverwriter(new URL(thread)).then((overwrite) => overwrite(NOWHERE));
    await expect(overwriting).rejects.toMatchObject(REPEAT);
  },
);
