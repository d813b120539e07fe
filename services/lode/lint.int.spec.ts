import { beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Linter, type Rule } from 'eslint';

/* The rules of `npm run lint` that are the house's own: what they refuse, and that their lists can only shrink. */

const LIB = new URL('../../../scripts/lib/', import.meta.url);
const FILE = 'libs/some/file.js';

const rules: Record<string, Rule.RuleModule> = {};

beforeAll(async () => {
  const { ambient } = (await import(new URL('ambient.mjs', LIB).href)) as { ambient: Rule.RuleModule };
  const { functionLines } = (await import(new URL('function-lines.mjs', LIB).href)) as {
    functionLines: Rule.RuleModule;
  };
  Object.assign(rules, { ambient, 'function-lines': functionLines });
});

/** The messages of one rule about a file. */
function complaints(rule: string, options: object, code: string): readonly (string | undefined)[] {
  const config: Linter.Config = {
    plugins: { lode: { rules } },
    rules: { [`lode/${rule}`]: ['error', options] },
  };
  return new Linter().verify(code, config, FILE).map(({ messageId, message }) => messageId ?? message);
}

describe('time, timers and randomness', () => {
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
    expect(complaints('ambient', {}, code)).toEqual(['ambient']);
    expect(complaints('ambient', { [FILE]: 'its reason' }, code)).toEqual([]);
  });

  test.each([
    'new Date(clock());',
    'Date.parse(text);',
    'timers.setTimeout(done, 1);',
    'const setTimeout = timers.after; setTimeout(1, done);',
    "import { createHash } from 'node:crypto';",
  ])('are not what this is: %s', (code) => {
    expect(complaints('ambient', {}, code)).toEqual([]);
  });

  test('leave the list once a file needs nothing of its own', () => {
    expect(complaints('ambient', { [FILE]: 'its reason' }, 'export {};')).toEqual(['idle']);
  });
});

describe('a function', () => {
  const long = (name: string) => `function ${name}() {\n${'  // why\n'.repeat(3)}}`;

  test('has so many lines at most, with its comments', () => {
    expect(complaints('function-lines', { max: 5 }, long('made'))).toEqual([]);
    expect(complaints('function-lines', { max: 4 }, long('made'))).toEqual(['long']);
  });

  test('counts the functions in it', () => {
    const factory = `const make = () => {\n${long('one')}\n${long('two')}\n};`;
    expect(complaints('function-lines', { max: 11 }, factory)).toEqual(['long']);
    expect(complaints('function-lines', { max: 12 }, factory)).toEqual([]);
  });

  test('may be longer when it is listed, and leaves the list once it is short or gone', () => {
    const longer = [`${FILE}#made`];
    expect(complaints('function-lines', { max: 4, longer }, long('made'))).toEqual([]);
    expect(complaints('function-lines', { max: 4, longer }, long('other'))).toEqual(['long', 'short']);
    expect(complaints('function-lines', { max: 5, longer }, long('made'))).toEqual(['short']);
    expect(complaints('function-lines', { max: 5, longer: ['libs/other.ts#made'] }, long('made'))).toEqual(
      [],
    );
  });
});

describe("Nest's own buses", () => {
  const ROOT = fileURLToPath(new URL('../../', LIB));
  const ESLINT = fileURLToPath(new URL('../../node_modules/eslint/bin/eslint.js', LIB));
  const run = promisify(execFile);

  /** Which of the names that a file imports from Nest's package are refused, by what `npm run lint` goes by. */
  async function refusedIn(file: string, names: readonly string[]): Promise<readonly string[]> {
    const { stdout } = await run(process.execPath, [ESLINT, '--print-config', file], { cwd: ROOT });
    const { rules: all } = JSON.parse(stdout) as { readonly rules: Linter.RulesRecord };
    const rule = all['no-restricted-imports'] ?? 'off';
    return names.filter((name) => {
      const code = `import { ${name} } from '@nestjs/cqrs';`;
      return new Linter().verify(code, { rules: { 'no-restricted-imports': rule } }).length > 0;
    });
  }

  const buses = ['CommandBus', 'QueryBus', 'EventBus', 'EventPublisher'];

  test.each(['libs/application/people/list.ts', 'services/lode/application.ts', 'services/api/http/new.ts'])(
    'are not for %s',
    async (file) => {
      expect(await refusedIn(file, [...buses, 'QueryHandler'])).toEqual(buses);
    },
  );

  test('are for the bus of the application', async () => {
    expect(await refusedIn('libs/application/bus.ts', buses)).toEqual([]);
  });
});

test('what the lists name is there', async () => {
  const { longerFunctions, ownTime } = (await import(new URL('lint-exceptions.mjs', LIB).href)) as {
    longerFunctions: readonly string[];
    ownTime: Readonly<Record<string, string>>;
  };
  const files = [...Object.keys(ownTime), ...longerFunctions.map((entry) => entry.replace(/#.*/, ''))];
  expect(files.filter((file) => !existsSync(new URL(`../../${file}`, LIB)))).toEqual([]);
});
