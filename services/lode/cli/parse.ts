import { parseArgs } from 'node:util';
import { nearestName } from '#kernel';
import type { Command, Option } from './command.js';

/** What every command understands. */
export const commonOptions: Readonly<Record<string, Option>> = {
  data: { value: 'folder', summary: 'The data folder; LODE_DATA, else ./data, when left out.' },
  json: { summary: 'Prints one JSON object, and nothing for people.' },
  help: { short: 'h', summary: 'Says what the command does, and does nothing; -h for short.' },
};

/** What was typed, when it can be understood. */
export type Parsed = {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
};

/** A command that was typed wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  /** `saysAll` when its sentence is enough, and how commands are typed need not follow. */
  constructor(
    message: string,
    readonly saysAll = false,
  ) {
    super(message);
  }
}

/** Characters of a reason. */
const REASON_MAX = 500;

/** The reason that was given, if any. Refuses one that is empty or too long. */
export function reasonIn({ reason: typed }: Parsed['options']): string | undefined {
  if (typeof typed !== 'string') return undefined;
  const reason = typed.trim();
  if (reason.length === 0 || reason.length > REASON_MAX)
    throw new UsageError(`--reason takes 1 to ${REASON_MAX} characters.`);
  return reason;
}

/** Refuses a command that nobody can be asked about and that has no --yes. `why` begins the sentence. */
export function requireConsent(
  { options, ask }: { readonly options: Parsed['options']; readonly ask?: unknown },
  why: string,
  name: string,
): void {
  if (options['yes'] === true || ask !== undefined) return;
  throw new UsageError(`${why}: where nobody can be asked, ${name} needs --yes.`);
}

/** What was typed, parted at the command's name. */
export type Typed = {
  readonly before: readonly string[];
  readonly name: string | undefined;
  readonly after: readonly string[];
};

/** Finds the command's name: options of all commands may stand before it, with their values. */
export function partTyped(typed: readonly string[]): Typed {
  let at = 0;
  for (let one = typed[at]; one !== undefined; one = typed[at]) {
    const [, name = '', value] = /^--([a-z]+)(=.*)?$/s.exec(one) ?? [];
    const option = name === 'help' ? undefined : commonOptions[name];
    if (option === undefined) break;
    at += option.value === undefined || value !== undefined ? 1 : 2;
  }
  return { before: typed.slice(0, at), name: typed[at], after: typed.slice(at + 1) };
}

/** The command of a name. Throws `UsageError`, with the one that was probably meant. */
export function commandNamed(name: string, commands: readonly Command[]): Command {
  const command = commands.find((one) => one.name === name);
  if (command !== undefined) return command;
  if (name.startsWith('-')) throw new UsageError(`${name} comes after a command.`);
  const meant = nearestName(
    name,
    commands.map((one) => one.name),
  );
  if (meant === undefined) throw new UsageError(`There is no command ${name}.`);
  throw new UsageError(`There is no command ${name}: did you mean ${meant}?`, true);
}

/** Reads what stands after a command's name. Throws `UsageError`. */
export function parse(command: Command, typed: readonly string[]): Parsed {
  const declared = Object.entries({ ...commonOptions, ...command.options });
  const options = Object.fromEntries(
    declared.map(([name, { value, short }]) => [
      name,
      {
        type: value === undefined ? 'boolean' : 'string',
        ...(short === undefined ? {} : { short }),
      } as const,
    ]),
  );
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...typed], options, allowPositionals: true });
  } catch (error) {
    // Node goes on to explain how an argument that begins with a dash is typed, after a blank or a new line.
    const [sentence] = (Error.isError(error) ? error.message : String(error)).split(/\.\s/);
    throw new UsageError(`${sentence}.`);
  }
  const { values, positionals } = parsed;
  if (values['help'] !== true) {
    checkValues(declared, values);
    checkCount(command, positionals);
  }
  return { args: positionals, options: values as Parsed['options'] };
}

/** An empty value is a mistake, e.g. an unset shell variable. */
function checkValues(
  declared: readonly (readonly [string, Option])[],
  values: Readonly<Record<string, unknown>>,
): void {
  const [name, option] = declared.find(([one]) => values[one] === '') ?? [];
  if (name !== undefined)
    throw new UsageError(`--${name} needs a ${option?.value ?? 'value'}, not an empty text.`);
}

function checkCount({ name, takes }: Command, args: readonly string[]): void {
  const missing = takes.filter((one) => one.startsWith('<'))[args.length];
  if (missing !== undefined) throw new UsageError(`${name} needs ${missing}.`);
  const empty = takes[args.indexOf('')];
  if (empty !== undefined) throw new UsageError(`${name} needs ${empty}, not an empty text.`);
  const [extra] = args.slice(takes.length);
  if (extra !== undefined) throw new UsageError(`${name} takes no "${extra}".`);
}

/** How a command is typed. */
export function usageOf({ name, takes, options }: Command): string {
  const own = Object.entries(options).map(([option, { value }]) => `[${written(option, value)}]`);
  return ['lode', name, ...takes, ...own, '[--data <folder>] [--json]'].join(' ');
}

/** An option as it is typed. */
export function written(name: string, value: string | undefined): string {
  return value === undefined ? `--${name}` : `--${name} <${value}>`;
}

/** What `--help` prints. */
export function helpOf(command: Command): readonly string[] {
  const options = Object.entries({ ...command.options, ...commonOptions });
  const width = Math.max(...options.map(([name, { value }]) => written(name, value).length));
  const { whileRunning } = command;
  return [
    command.summary,
    '',
    `  ${usageOf(command)}`,
    '',
    ...command.details,
    whileRunning === 'works'
      ? 'It works while Lode runs.'
      : `Lode must not run meanwhile. ${whileRunning.instead}`,
    '',
    ...options.map(([name, { value, summary }]) => `  ${written(name, value).padEnd(width)}  ${summary}`),
    '',
    `For example: lode ${command.example}`,
    'It ends with 0 when all is well, 1 when something is wrong or failed, 2 when it was typed wrong.',
  ];
}

/** What `lode` and `lode --help` print. */
export function overview(commands: readonly Command[]): readonly string[] {
  const width = Math.max(...commands.map(({ name, takes }) => [name, ...takes].join(' ').length));
  return [
    "Lode's command line. lode <command> --help says more of each, lode --version which Lode it is.",
    '',
    ...commands.map(
      ({ name, takes, summary }) => `  ${[name, ...takes].join(' ').padEnd(width)}  ${summary}`,
    ),
  ];
}
