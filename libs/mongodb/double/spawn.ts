import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '#kernel/testing/port';

const program = fileURLToPath(new URL('./process.js', import.meta.url));

/** A double in a process of its own, over a file. */
export type DoubleProcess = {
  readonly url: () => string;
  /** It kills itself after so many single writes from now on, with the last of them on disk. */
  readonly dieAfter: (writes: number) => Promise<void>;
  /** Once it is dead. */
  readonly died: () => Promise<void>;
  /** Asks it, and tells it to live on; false when it is dead. */
  readonly livesOn: () => Promise<boolean>;
  /** Stops the process where it is, as a machine does that hangs: its connections stay. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Kills it at once, frozen or not. */
  readonly kill: () => Promise<void>;
  /** Starts it again on the same file and port, once it is dead. */
  readonly revive: () => Promise<void>;
};

export async function spawnDouble(
  file: string,
  replicaSet?: string,
  version: 7 | 8 = 8,
): Promise<DoubleProcess> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  let dead: Promise<unknown> = Promise.resolve();

  const heard = (from: ChildProcess) => once(from, 'message');
  const revive = async () => {
    await dead;
    child = fork(program, [
      file,
      String(port),
      String(version),
      ...(replicaSet === undefined ? [] : [replicaSet]),
    ]);
    dead = once(child, 'exit');
    await heard(child);
  };
  await revive();
  return {
    url: () => `mongodb://127.0.0.1:${port}/?${replicaSet === undefined ? '' : `replicaSet=${replicaSet}`}`,
    dieAfter: async (writes) => {
      if (child === undefined) return;
      child.send({ dieAfter: writes });
      await heard(child);
    },
    died: async () => {
      await dead;
    },
    livesOn: async () => {
      const asked = child;
      if (asked?.connected !== true) return false;
      const answered = heard(asked).then(() => true);
      // It may die of what it does at this moment: then its end comes instead of an answer.
      asked.send({ dieAfter: Number.MAX_SAFE_INTEGER }, () => undefined);
      return Promise.race([answered, dead.then(() => false)]);
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    kill: async () => {
      child?.kill('SIGKILL');
      await dead;
    },
    revive,
  };
}
