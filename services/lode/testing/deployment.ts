import type { ChildProcess } from 'node:child_process';
import { lodeWith, spawnLodeWith, tellWith, type Ran, type Told } from './command.js';
import { startProgram, type Listening } from './start.js';

/** A data folder with the servers that are named beside it, if any. */
export type Deployment = {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly lode: (...args: readonly string[]) => Promise<Ran>;
  readonly tell: (...args: readonly string[]) => Promise<Told>;
  readonly spawn: (...args: readonly string[]) => Promise<ChildProcess>;
  /** Starts the program and waits until it listens. */
  readonly start: (more?: Readonly<Record<string, string>>) => Promise<Listening>;
};

/** Commands and programs on a folder and servers of a test's own; `env` names the servers, and whatever else they know. */
export function deploymentOn(folder: string, env: Readonly<Record<string, string>> = {}): Deployment {
  return {
    folder,
    env,
    lode: (...args) => lodeWith({ env }, folder, ...args),
    tell: (...args) => tellWith({ env }, folder, ...args),
    spawn: (...args) => spawnLodeWith({ env }, folder, ...args),
    start: (more = {}) => startProgram(folder, { ...env, ...more }),
  };
}
