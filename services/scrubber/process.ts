import { openLooks, type Looks } from '#engines';
import { serializeError } from '#kernel';
import type { FromLooker, ToLooker } from './messages.js';

/* A process that looks at what is kept, part by part, as it is asked to. It only reads, and may be killed at any time. */

let opened: Promise<Looks> | undefined;

async function answerTo(message: ToLooker): Promise<FromLooker | undefined> {
  if (message.kind === 'open') {
    opened = openLooks(message.settings);
    // Told with the first look.
    opened.catch(() => undefined);
    return undefined;
  }
  try {
    const looks = await opened;
    if (looks === undefined) return undefined;
    return { kind: 'looked', look: await looks.look(message.part, message.place) };
  } catch (error) {
    return { kind: 'failed', ...serializeError(error) };
  }
}

process.on('message', (message: ToLooker) => {
  void answerTo(message).then((answer) => {
    if (answer !== undefined) process.send?.(answer);
  });
});
// The program that started it has ended.
process.on('disconnect', () => process.exit());
