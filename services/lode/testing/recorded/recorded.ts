import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RouteName } from '#contracts';
import type { RecordedEvent } from '#kernel';
import { lode } from '../command.js';

/** A command as it was sent, and what it was answered with. */
export type RecordedRequest = {
  /** A name in `people`, or `visitor`. */
  readonly who: string;
  readonly route: RouteName;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  readonly answer: Readonly<Record<string, unknown>>;
  /** Why it can't be answered again, where that is so. */
  readonly lost?: string;
};

/** How the recorded log was made. */
export type Recorded = {
  /** Everybody by their first names. */
  readonly people: Readonly<
    Record<string, { readonly userId: string; readonly email: string; readonly password: string }>
  >;
  /** The slot of the bonus tick that was run by hand. */
  readonly tick: string;
  readonly requests: readonly RecordedRequest[];
};

const MINUTE_MS = 60_000;

const FOLDER = fileURLToPath(new URL('../../../../../services/lode/testing/recorded/', import.meta.url));

export const recorded = JSON.parse(readFileSync(join(FOLDER, 'requests.json'), 'utf8')) as Recorded;

/** The recorded log, event by event. */
export const recordedLog: readonly RecordedEvent[] = readFileSync(join(FOLDER, 'log.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as RecordedEvent);

/** An environment in which every thread of the program takes it for so many milliseconds later than it is. */
export function clockMovedBy(ms: number): Record<string, string> {
  const code = `const now = Date.now; Date.now = () => now() + ${ms};`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

/** An environment in which a minute has passed since the recorded log ended: what was uploaded then may still be named. */
export function soonAfterRecording(): Record<string, string> {
  const ended = Date.parse(recordedLog.at(-1)?.at ?? '');
  return clockMovedBy(ended + MINUTE_MS - Date.now());
}

/** Makes a new folder the data folder that the recorded log is the log of. Read models and processes begin anew in it. */
export async function fillFromRecorded(folder: string): Promise<void> {
  for (const name of ['identity.sqlite', 'files'])
    cpSync(join(FOLDER, name), join(folder, name), { recursive: true });
  const { code, out, err } = await lode(folder, 'import', join(FOLDER, 'log.jsonl'));
  if (code !== 0) throw new Error(`the recorded log was not imported:\n${out}${err}`);
}
