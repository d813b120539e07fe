import { hasCode, isLodeError, serializeError } from '#kernel';
import { keepingAlive } from '../alive.js';
import { keepFilesToOwner } from '../own-files.js';
import { readSettings } from '../settings.js';
import { exitCodes, type Call, type Command, type Outcome } from './command.js';
import { commands } from './commands.js';
import { createProgress } from './output.js';
import { helpOf, overview, parse, usageOf, UsageError } from './parse.js';

/* The operator's command line. What it found goes to standard output, everything else to standard error. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
keepFilesToOwner();

const [name, ...typed] = process.argv.slice(2);
process.exitCode = await main(name, typed);

async function main(name: string | undefined, typed: readonly string[]): Promise<number> {
  // Known before anything is parsed, so that a program that asked for JSON gets it for a wrong option as well.
  const isForPeople = name !== '--json' && !typed.includes('--json');
  const command = commands.find((one) => one.name === name);
  try {
    return command === undefined
      ? introduce(name, typed, isForPeople)
      : await carryOut(command, typed, isForPeople);
  } catch (error) {
    return complain(command, error, isForPeople);
  }
}

/** What is to be said when no command is named: all of them, or the one that help is asked for. */
function introduce(name: string | undefined, typed: readonly string[], isForPeople: boolean): number {
  const isHelp = name === 'help' || name === '--help' || name === '-h';
  if (name !== undefined && !isHelp) {
    throw new UsageError(
      name.startsWith('-') ? `${name} comes after a command.` : `There is no command ${name}.`,
    );
  }
  const [asked] = typed.filter((one) => !one.startsWith('-'));
  const command = commands.find((one) => one.name === asked);
  if (asked !== undefined && command === undefined) throw new UsageError(`There is no command ${asked}.`);
  const lines = command === undefined ? overview(commands) : helpOf(command);
  return print('help', { ok: true, facts: { lines }, lines }, isForPeople);
}

async function carryOut(command: Command, typed: readonly string[], isForPeople: boolean): Promise<number> {
  const { args, options } = parse(command, typed);
  if (options['help'] === true) {
    const lines = helpOf(command);
    return print(command.name, { ok: true, facts: { lines }, lines }, isForPeople);
  }
  const { data } = options;
  const env = typeof data === 'string' ? { ...process.env, LODE_DATA: data } : process.env;
  const settings = readSettings(env);
  const run = await command.load();
  const { progress, end } = createProgress(isForPeople && process.stderr.isTTY);
  const call: Call = { command, settings, env, args, options, progress, isForPeople };
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
  const { explainFailure } = await import('#engines');
  const failure = explainFailure(error);
  const isTyped =
    failure instanceof UsageError || (isLodeError(failure) && failure.code === 'validation_failed');
  const { code: own, message } = serializeError(failure);
  const code = isTyped ? 'validation_failed' : own;
  if (!isForPeople) {
    console.log(JSON.stringify({ command: command?.name ?? null, ok: false, code, message }));
  } else if (code === 'internal') console.error(failure);
  else console.error(message);
  if (isForPeople && failure instanceof UsageError) showUse(command);
  return isTyped ? exitCodes.usage : exitCodes.wrong;
}

/** How the command is typed, or which commands there are. */
function showUse(command: Command | undefined): void {
  const lines = command === undefined ? overview(commands) : [`  npx ${usageOf(command)}`];
  for (const line of ['', ...lines]) console.error(line);
}
