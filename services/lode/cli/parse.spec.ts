import { describe, expect, test } from '@jest/globals';
import { commands } from './commands.js';
import { parse, partTyped, UsageError } from './parse.js';

const commandOf = (name: string) => {
  const found = commands.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no command ${name}`);
  return found;
};
const parsed = (name: string, ...typed: readonly string[]) => parse(commandOf(name), typed);

describe('what is typed after a command', () => {
  test('is its arguments and options', () => {
    const { args, options } = parsed('backup', '/backups/monday', '--data', 'd', '--json');
    expect([args, { ...options }]).toEqual([['/backups/monday'], { data: 'd', json: true }]);
    expect({ ...parsed('tick', '--at=-5').options }).toEqual({ at: '-5' });
  });

  test.each([['-h'], ['--help'], ['--help', '--data', '']])(
    'asks for help with %s, whatever is missing',
    (...typed) => {
      expect(parsed('backup', ...typed).options['help']).toBe(true);
    },
  );

  test.each([
    ['tick', ['--at', '-5'], "Option '--at' argument is ambiguous."],
    ['verify', ['--data', '--json'], "Option '--data' argument is ambiguous."],
    ['verify', ['--data'], "Option '--data <value>' argument missing."],
    ['verify', ['--nothing'], "Unknown option '--nothing'."],
    ['verify', ['--data', ''], '--data needs a folder, not an empty text.'],
    ['verify', ['--data='], '--data needs a folder, not an empty text.'],
    ['verify', ['--since', ''], '--since needs a backup, not an empty text.'],
    ['backup', [], 'backup needs <folder>.'],
    ['backup', [''], 'backup needs <folder>, not an empty text.'],
    ['export', [''], 'export needs [file], not an empty text.'],
    ['export', ['a', 'b'], 'export takes no "b".'],
  ])('%s %j is refused in one sentence', (name, typed, message) => {
    expect(() => parsed(name, ...typed)).toThrow(new UsageError(message));
  });
});

describe('what is typed before a command', () => {
  test.each([
    [['verify'], [], 'verify', []],
    [['--json', 'verify', '--log-only'], ['--json'], 'verify', ['--log-only']],
    [['--data', 'tick', 'verify'], ['--data', 'tick'], 'verify', []],
    [['--data=tick', 'verify'], ['--data=tick'], 'verify', []],
    [['--data', 'x'], ['--data', 'x'], undefined, []],
    [['--help', 'verify'], [], '--help', ['verify']],
    [['--at', 'x', 'tick'], [], '--at', ['x', 'tick']],
    [['--toString', 'tick'], [], '--toString', ['tick']],
    [['-', 'tick'], [], '-', ['tick']],
    [[], [], undefined, []],
  ])('%j is parted at its name', (typed, before, name, after) => {
    expect(partTyped(typed)).toEqual({ before, name, after });
  });
});
