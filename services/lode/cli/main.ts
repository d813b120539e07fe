import { isLodeError, toldError } from '#kernel';
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
  const command = commands.find((one) => one.name === name);
  if (command === undefined) return introduce(name);
  // Known before anything is parsed, so that a program that asked for JSON gets it for a wrong option as well.
  const isForPeople = !typed.includes('--json');
  try {
    return await carryOut(command, typed, isForPeople);
  } catch (error) {
    return complain(command, error, isForPeople);
  }
}

function introduce(name: string | undefined): number {
  const isAsked = name === undefined || name === 'help' || name === '--help';
  const write = isAsked ? console.log : console.error;
  if (!isAsked) write(`There is no command ${name}.\n`);
  for (const line of overview(commands)) write(line);
  return isAsked ? exitCodes.ok : exitCodes.usage;
}

async function carryOut(command: Command, typed: readonly string[], isForPeople: boolean): Promise<number> {
  const { args, options } = parse(command, typed);
  if (options['help'] === true) {
    for (const line of helpOf(command)) console.log(line);
    return exitCodes.ok;
  }
  const { data } = options;
  const env = typeof data === 'string' ? { ...process.env, LODE_DATA: data } : process.env;
  const settings = readSettings(env);
  const carry = await command.load();
  const { progress, end } = createProgress(isForPeople && process.stderr.isTTY);
  const call: Call = { command, settings, env, args, options, progress, isForPeople };
  try {
    const outcome = await carry(call);
    end();
    print(command, outcome, isForPeople);
    return outcome.ok ? exitCodes.ok : exitCodes.wrong;
  } finally {
    end();
  }
}

function print(command: Command, { ok, facts, lines }: Outcome, isForPeople: boolean): void {
  if (!isForPeople) console.log(JSON.stringify({ command: command.name, ok, ...facts }));
  else for (const line of lines) console.log(line);
}

/** One sentence for what went wrong; anything that nobody foresaw comes with its stack. */
function complain(command: Command, error: unknown, isForPeople: boolean): number {
  const isTyped = error instanceof UsageError || (isLodeError(error) && error.code === 'validation_failed');
  const { code: own, message } = toldError(error);
  const code = isTyped ? 'validation_failed' : own;
  if (!isForPeople) console.log(JSON.stringify({ command: command.name, ok: false, code, message }));
  else if (code === 'internal') console.error(error);
  else console.error(message);
  if (isForPeople && error instanceof UsageError) console.error(`\n  npx ${usageOf(command)}`);
  return isTyped ? exitCodes.usage : exitCodes.wrong;
}
