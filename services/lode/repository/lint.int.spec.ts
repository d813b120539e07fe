import { beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Linter, type Rule } from 'eslint';

/* The laws that `npm run lint` checks: what is refused, and that the list of exceptions can only shrink. */

const LIB = new URL('../../../../scripts/lib/', import.meta.url);
const ROOT = fileURLToPath(new URL('../../', LIB));
const ESLINT = fileURLToPath(new URL('../../node_modules/eslint/bin/eslint.js', LIB));
const run = promisify(execFile);

/** How `npm run lint` sets one of ESLint's own rules for a file. */
async function settingIn(file: string, rule: string): Promise<Linter.RuleEntry> {
  const { stdout } = await run(process.execPath, [ESLINT, '--print-config', file], { cwd: ROOT });
  const { rules: all } = JSON.parse(stdout) as { readonly rules: Linter.RulesRecord };
  return all[rule] ?? 'off';
}

/** How often one of ESLint's own rules refuses something in some code. */
function refusals(rule: string, setting: Linter.RuleEntry, code: string): number {
  return new Linter().verify(code, { rules: { [rule]: setting } }).length;
}

describe('time, timers and randomness', () => {
  const FILE = 'libs/some/file.js';
  let ambient: Rule.RuleModule;
  beforeAll(async () => {
    ({ ambient } = (await import(new URL('ambient.mjs', LIB).href)) as { ambient: Rule.RuleModule });
  });

  /** What the house's rule says about a file, with the files that are listed. */
  function complaints(listed: Readonly<Record<string, string>>, code: string) {
    const config: Linter.Config = {
      plugins: { lode: { rules: { ambient } } },
      rules: { 'lode/ambient': ['error', listed] },
    };
    return new Linter().verify(code, config, FILE).map(({ messageId, message }) => messageId ?? message);
  }

  test.each([
    'Date.now();',
    'new Date();',
    'Date();',
    'Math.random();',
    'performance.now();',
    'setTimeout(done, 1);',
    'setInterval(done, 1);',
    'setImmediate(done);',
    'crypto.randomUUID();',
    "import { randomUUID } from 'node:crypto';",
    "import { randomBytes as bytes } from 'crypto';",
    "import { setTimeout } from 'node:timers/promises';",
  ])('come in from outside: not by %s', (code) => {
    expect(complaints({}, code)).toEqual(['ambient']);
    expect(complaints({ [FILE]: 'its reason' }, code)).toEqual([]);
  });

  test.each([
    'new Date(clock());',
    'Date.parse(text);',
    'timers.setTimeout(done, 1);',
    'const setTimeout = timers.after; setTimeout(1, done);',
    "import { createHash } from 'node:crypto';",
  ])('are not what this is: %s', (code) => {
    expect(complaints({}, code)).toEqual([]);
  });

  test('leave the list once a file needs nothing of its own', () => {
    expect(complaints({ [FILE]: 'its reason' }, 'export {};')).toEqual(['idle']);
  });
});

describe('a test', () => {
  const RULE = 'no-restricted-syntax';

  test.each([
    ['expect(Date.now() - began).toBeLessThan(100);', 1],
    ['expect(performance.now() - began).toBeLessThan(100);', 1],
    ['await new Promise((done) => setTimeout(done, 100));', 1],
    ['expect(events - before).toBe(1);', 0],
    ['expect(Date.now()).toBe(0);', 0],
  ])('expects nothing of how long something took, and does not sleep: %s', async (code, expected) => {
    const setting = await settingIn('libs/some/file.spec.ts', RULE);
    expect(refusals(RULE, setting, code)).toBe(expected);
  });
});

describe('a function', () => {
  const MAX = 70;
  const long = (lines: number) => `function made() {\n${'  // why\n'.repeat(lines - 2)}}`;

  /** How many functions of some code are too long in a file. */
  async function tooLongIn(file: string) {
    const setting = await settingIn(file, 'max-lines-per-function');
    return (code: string) => refusals('max-lines-per-function', setting, code);
  }

  test.each(['libs/ledger/new.ts', 'services/lode/new.ts', 'web/src/app/new.tsx'])(
    'of %s has so many lines at most, with its comments',
    async (file) => {
      const tooLong = await tooLongIn(file);
      expect(tooLong(long(MAX))).toBe(0);
      expect(tooLong(long(MAX + 1))).toBe(1);
    },
  );

  test('counts the functions in it, also when it is called where it stands', async () => {
    const tooLong = await tooLongIn('libs/ledger/new.ts');
    const factory = (lines: number) => `(() => {\n${long(lines - 2)}\n})();`;
    expect(tooLong(factory(MAX))).toBe(0);
    expect(tooLong(factory(MAX + 1))).toBe(1);
  });

  test('of a test file may hold any number of tests', async () => {
    const tooLong = await tooLongIn('libs/ledger/new.spec.ts');
    expect(tooLong(long(MAX + 1))).toBe(0);
  });
});

describe("Nest's own buses", () => {
  /** Which of the names that a file imports from Nest's package are refused, by what `npm run lint` goes by. */
  async function refusedIn(file: string, names: readonly string[]): Promise<readonly string[]> {
    const setting = await settingIn(file, 'no-restricted-imports');
    return names.filter(
      (name) => refusals('no-restricted-imports', setting, `import { ${name} } from '@nestjs/cqrs';`) > 0,
    );
  }

  const buses = ['CommandBus', 'QueryBus', 'EventBus', 'EventPublisher'];

  test.each(['libs/application/people/list.ts', 'libs/application/bus.ts', 'services/api/http/new.ts'])(
    'are not for %s',
    async (file) => {
      expect(await refusedIn(file, [...buses, 'QueryHandler'])).toEqual(buses);
    },
  );

  test('are for what registers the application’s handlers', async () => {
    expect(await refusedIn('services/api/application.ts', buses)).toEqual([]);
  });
});

test('what the list names is there', async () => {
  const { ownTime } = (await import(new URL('lint-exceptions.mjs', LIB).href)) as {
    ownTime: Readonly<Record<string, string>>;
  };
  expect(Object.keys(ownTime).filter((file) => !existsSync(new URL(`../../${file}`, LIB)))).toEqual([]);
});
