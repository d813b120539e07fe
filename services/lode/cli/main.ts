import { hasCode, isLodeError, serializeError } from '#kernel';
import { keepingAlive } from '../alive.js';
import { keepFilesToOwner } from '../own-files.js';
import { lodeVersion } from '../version.js';
import { askAtTerminal } from './ask.js';
import { exitCodes, type Call, type Command, type Outcome } from './command.js';
import { commands } from './commands.js';
import { createProgress } from './output.js';
import { commandNamed, helpOf, overview, parse, partTyped, usageOf, UsageError } from './parse.js';

/* The operator's command line. What it found goes to standard output, everything else to standard error. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
keepFilesToOwner();

const HELP = ['help', '--help', '-h'];

process.exitCode = await main(process.argv.slice(2));

async function main(typed: readonly string[]): Promise<number> {
  // Known before anything is parsed, so that a program that asked for JSON gets it for a wrong option as well.
  const isForPeople = !typed.includes('--json');
  const { before, name, after } = partTyped(typed);
  let command: Command | undefined;
  try {
    if (name === undefined || HELP.includes(name)) return introduce(after, isForPeople);
    if (name === '--version') return sayVersion(isForPeople);
    command = commandNamed(name, commands);
    return await carryOut(command, [...before, ...after], isForPeople);
  } catch (error) {
    return complain(command, error, isForPeople);
  }
}

/** What is to be said when no command is named: all of them, or the one that help is asked for. */
function introduce(typed: readonly string[], isForPeople: boolean): number {
  const [asked] = typed.filter((one) => !one.startsWith('-'));
  const lines = asked === undefined ? overview(commands) : helpOf(commandNamed(asked, commands));
  return print('help', { ok: true, facts: { lines }, lines }, isForPeople);
}

function sayVersion(isForPeople: boolean): number {
  const version = lodeVersion();
  return print('version', { ok: true, facts: { version }, lines: [version] }, isForPeople);
}

async function carryOut(command: Command, typed: readonly string[], isForPeople: boolean): Promise<number> {
  const { args, options } = parse(command, typed);
  if (options['help'] === true) {
    const lines = helpOf(command);
    return print(command.name, { ok: true, facts: { lines }, lines }, isForPeople);
  }
  // Not before: settings take longer to load than all else that help and the version need.
  const { readSettings } = await import('../settings.js');
  const { data } = options;
  const settings = readSettings(process.env, typeof data === 'string' ? data : undefined);
  const run = await command.load();
  const { progress, end } = createProgress(isForPeople && process.stderr.isTTY);
  const ask = (question: string) => {
    end();
    return askAtTerminal(question);
  };
  const isSomebodyThere = isForPeople && process.stdin.isTTY && process.stderr.isTTY;
  const call: Call = {
    ...{ command, settings, args, options, progress, isForPeople },
    ask: isSomebodyThere ? ask : undefined,
  };
  try {
    const outcome = await keepingAlive(() => run(call));
    end();
    const code = print(command.name, outcome, isForPeople);
    if (outcome.isUnderWay === true) process.exit(code);
    return code;
  } finally {
    end();
  }
}

function print(name: string, { ok, facts, lines }: Outcome, isForPeople: boolean): number {
  if (!isForPeople) console.log(JSON.stringify({ command: name, ok, ...facts }));
  else for (const line of lines) console.log(line);
  return ok ? exitCodes.ok : exitCodes.wrong;
}

/** One sentence for what went wrong; anything that nobody foresaw comes with its stack. */
async function complain(command: Command | undefined, error: unknown, isForPeople: boolean): Promise<number> {
  // Whoever read what is printed has left: there is nobody to tell.
  if (hasCode(error, 'EPIPE')) return exitCodes.wrong;
  // Not before: the engines take longer to load than all else that an answer needs.
  const failure = error instanceof UsageError ? error : (await import('#engines')).explainFailure(error);
  const isTyped =
    failure instanceof UsageError || (isLodeError(failure) && failure.code === 'validation_failed');
  const { code: own, message } = serializeError(failure);
  const code = isTyped ? 'validation_failed' : own;
  if (!isForPeople) {
    console.log(JSON.stringify({ command: command?.name ?? null, ok: false, code, message }));
  } else if (code === 'internal') console.error(failure);
  else console.error(message);
  if (isForPeople && failure instanceof UsageError && !failure.saysAll) showUse(command);
  return isTyped ? exitCodes.usage : exitCodes.wrong;
}

/** How the command is typed, or which commands there are. */
function showUse(command: Command | undefined): void {
  const lines = command === undefined ? overview(commands) : [`  ${usageOf(command)}`];
  for (const line of ['', ...lines]) console.error(line);
}
