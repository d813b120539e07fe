import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { OF_LONG_AGO } from './clock.js';
import { COMPILED } from './compiled.js';
import { serversOf } from './mix.js';

/** What a command of the command line printed and ended with. */
export type Ran = {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
};

/** What a command says with `--json`. */
export type Told = { readonly code: number | null; readonly json: Readonly<Record<string, unknown>> };

/** What a command is run with beside its arguments: more of an environment, another user of the machine. */
export type RunWith = { readonly env?: Readonly<Record<string, string>>; readonly uid?: number };

/** Starts the built command line on a data folder and its servers, which are all that it knows of settings. */
export async function spawnLode(folder: string, ...args: readonly string[]): Promise<ChildProcess> {
  return spawnLodeWith({}, folder, ...args);
}

/** The same with something more. */
export async function spawnLodeWith(
  { env, uid }: RunWith,
  folder: string,
  ...args: readonly string[]
): Promise<ChildProcess> {
  const main = fileURLToPath(new URL('../cli/main.js', import.meta.url));
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
    env: {
      PATH: process.env['PATH'],
      LODE_DATA: folder,
      ...OF_LONG_AGO,
      ...COMPILED,
      ...(await serversOf(folder)),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid }),
  });
}

/** Runs a command to its end. */
export async function lode(folder: string, ...args: readonly string[]): Promise<Ran> {
  return lodeWith({}, folder, ...args);
}

/** The same with something more. */
export async function lodeWith(how: RunWith, folder: string, ...args: readonly string[]): Promise<Ran> {
  const child = await spawnLodeWith(how, folder, ...args);
  if (child.stdout === null || child.stderr === null) throw new Error('a command has outputs');
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, out, err };
}

/** Runs a command for a program: its whole output is one line of JSON. */
export async function tell(folder: string, ...args: readonly string[]): Promise<Told> {
  return tellWith({}, folder, ...args);
}

/** The same with something more. */
export async function tellWith(how: RunWith, folder: string, ...args: readonly string[]): Promise<Told> {
  const { code, out, err } = await lodeWith(how, folder, ...args, '--json');
  if (err !== '' || !out.endsWith('}\n') || out.trimEnd().includes('\n')) {
    throw new Error(`${args.join(' ')} printed no line of JSON alone:\n${out}${err}`);
  }
  return { code, json: JSON.parse(out) as Told['json'] };
}
