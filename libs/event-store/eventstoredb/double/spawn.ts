import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '#kernel/testing/port';

const program = fileURLToPath(new URL('./process.js', import.meta.url));

/** A double in a process of its own, over a file that has every append before it is answered. */
export type DoubleProcess = {
  /** The connection string; the port stays the same when it is started again. */
  readonly url: string;
  /** Stops the process where it is, as a machine does that hangs: its connections stay. */
  freeze(): void;
  thaw(): void;
  /** Kills it at once, frozen or not. */
  kill(): Promise<void>;
  /** Starts it again on the same file and port, once it is dead. */
  revive(): Promise<void>;
};

export async function spawnDouble(file: string): Promise<DoubleProcess> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  let dead: Promise<unknown> = Promise.resolve();

  async function revive(): Promise<void> {
    await dead;
    child = fork(program, [file, String(port)], { execArgv: [] });
    dead = once(child, 'exit');
    await once(child, 'message');
  }

  await revive();
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async kill() {
      child?.kill('SIGKILL');
      await dead;
    },
    revive,
  };
}
