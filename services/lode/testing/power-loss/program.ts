import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Recording } from './records.js';

const SOURCE = fileURLToPath(
  new URL('../../../../../services/lode/testing/power-loss/record.c', import.meta.url),
);

/** True where the library that records can be made: it takes a C compiler, and Linux. */
export function canRecord(): boolean {
  return process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0;
}

/** Programs whose changes are recorded. */
export type Recorder = Recording & {
  /** The data folder of the programs. */
  readonly data: string;
  /** What makes a program be recorded. */
  readonly env: Readonly<Record<string, string>>;
  /** Has a program killed in place of the `nth` write from now on to files whose path ends with `suffix`. */
  readonly killAt: (suffix: string, nth: number) => void;
};

/** A recorder in a folder, for a data folder in it that is not there yet. */
export function createRecorder(folder: string): Recorder {
  const library = join(folder, 'record.so');
  if (!existsSync(library)) {
    const flags = ['-O2', '-Wall', '-Wextra', '-Werror', '-shared', '-fPIC'];
    const { status, stderr } = spawnSync('cc', [...flags, '-o', library, SOURCE, '-ldl', '-lpthread']);
    if (status !== 0) throw new Error(String(stderr));
  }
  const [root = '', held = '', records = '', order = ''] = ['disk', 'held', 'records', 'order'].map((name) =>
    join(folder, name),
  );
  const data = join(root, 'data');
  for (const one of [root, held]) mkdirSync(one);
  const env = {
    LD_PRELOAD: library,
    RECORD_ROOT: root,
    RECORD_FILE: records,
    RECORD_HELD: held,
    RECORD_KILL: order,
  };
  const killAt = (suffix: string, nth: number) => {
    writeFileSync(`${order}.next`, `${suffix}:${nth}`);
    renameSync(`${order}.next`, order);
  };
  return { root, held, records, order, data, env, killAt };
}
