import type { Progress } from '#engines';
import type { Json } from '#kernel';
import type { Settings } from '../settings.js';

/** An option of a command: with a value when `value` names it, else it is there or not. */
export type Option = { readonly summary: string; readonly value?: string; readonly short?: string };

/** What a command is, for the person who types it, for `--help`, and for the reference that is made from it. */
export type Command = {
  readonly name: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** What stands after the name, such as `<folder>`; square brackets for what may be left out. */
  readonly takes: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  /** What is to be known about it, a paragraph each. */
  readonly details: readonly string[];
  /** Whether it works while Lode runs on the same folder; if not, what to do instead of stopping it. */
  readonly whileRunning: 'works' | { readonly instead: string };
  /** An example of its use. */
  readonly example: string;
  readonly load: () => Promise<Run>;
};

/** Everything that a command is given. */
export type Call = {
  readonly command: Command;
  readonly settings: Settings;
  /** What was typed after the name, in order. */
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** Says how far long work has got. */
  readonly progress: Progress;
  /** False when a program reads what is printed. */
  readonly isForPeople: boolean;
  /** Asks whoever sits at the terminal; they may leave it without an answer. Undefined when nobody does. */
  readonly ask: ((question: string) => Promise<string | undefined>) | undefined;
};

/** What a command came to. */
export type Outcome = {
  /** False when something is wrong with what was looked at. */
  readonly ok: boolean;
  /** What `--json` prints, beside the command and `ok`. */
  readonly facts: Readonly<Record<string, Json>>;
  /** What people read, a line each; none when it was printed as it came. */
  readonly lines: readonly string[];
  /** Something that was given up may still be under way: the process doesn't wait for it. */
  readonly isUnderWay?: boolean;
};

/** The same of what can be ordered from a browser as well. */
export type OrderedOutcome = Outcome & {
  /** What is wrong, a sentence each, as callers are told it: it names no address, file or user. */
  readonly told: readonly string[];
};

/** What carries a command out. */
export type Run = (call: Call) => Promise<Outcome>;

/** How a command ends; a program may go by it. */
export const exitCodes = { ok: 0, wrong: 1, usage: 2 } as const;
