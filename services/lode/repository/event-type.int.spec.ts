import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/* CONTRIBUTING names the places that a new type of event touches. Here a message gets one, and each place is missed. */

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const JEST = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
/** Where events are known, and what that imports. */
const DOORS = ['libs/ledger/index.ts', 'libs/projections/index.ts'];
const LIBRARIES = ['kernel', 'ledger', 'event-store', 'read-store', 'projections'];

/** A file, what the new type stands before in it, and what is said of the type there. */
type Patch = readonly [file: string, before: string, text: string];

const EVENTS: Patch = [
  'libs/ledger/message/events.ts',
  "  | { readonly type: 'MessageRead';",
  "  | { readonly type: 'MessageStarred'; readonly data: { readonly messageId: string } }\n",
];
const PLACES: readonly Patch[] = [
  ['libs/ledger/message/codecs.ts', '  MessageRead:', '  MessageStarred: plainCodec(),\n'],
  ['libs/ledger/message/state.ts', "    case 'MessageRead':", "    case 'MessageStarred':\n"],
  [
    'libs/projections/models/messages.ts',
    '    MessageRead:',
    '    MessageStarred: changes((message) => message),\n',
  ],
];
const FROZEN = 'libs/ledger/message/frozen-events.spec';

const run = promisify(execFile);
let folder: string;

/** Says something of the new type in a copied file. */
function patch([file, before, text]: Patch): void {
  const [head, tail, ...more] = readFileSync(join(folder, file), 'utf8').split(before);
  if (head === undefined || tail === undefined || more.length > 0)
    throw new Error(`${before} is in ${file} once`);
  writeFileSync(join(folder, file), `${head}${text}${before}${tail}`);
}

/** What a command of Node says, also when it fails. */
async function said(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, args, { cwd: folder }).catch(
    (error: unknown) => error as { readonly stdout: string },
  );
  return stdout;
}

/** The copied files that do not compile. */
async function refused(): Promise<readonly string[]> {
  const lines = (await said(TSC, '--project', '.', '--pretty', 'false')).split('\n');
  return [...new Set(lines.flatMap((line) => /^(.+?)\(\d+,\d+\): error/.exec(line)?.[1] ?? []))].toSorted();
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lode-event-type-'));
  const copied = [
    'package.json',
    'jest.config.js',
    'scripts/check/longest-first.mjs',
    'scripts/check/levels.mjs',
    'scripts/check/native.mjs',
    'scripts/check/no-environment.mjs',
    'dist/libs/kernel',
    'dist/libs/ledger',
  ];
  for (const name of [...copied, ...LIBRARIES.map((library) => `libs/${library}`)])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  // The second time, what has not changed since is not looked at again.
  const compilerOptions = { rootDir: '.', incremental: true, tsBuildInfoFile: 'build-info.json' };
  const project = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: [], files: DOORS };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
  patch(EVENTS);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a type of event that is only declared compiles in neither codecs nor fold nor read model', async () => {
  expect(await refused()).toEqual(PLACES.map(([file]) => file));
});

test('one that is in all of these compiles', async () => {
  PLACES.forEach(patch);
  expect(await refused()).toEqual([]);
});

test('one without a stored example does not pass', async () => {
  patch(['dist/libs/ledger/message/codecs.js', '    MessageRead:', '    MessageStarred: plainCodec(),\n']);
  const answer = await said(JEST, '-w', '1', '--json', `dist/${FROZEN}`);
  const { testResults } = JSON.parse(answer) as {
    readonly testResults: readonly {
      readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
    }[];
  };
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed');
  expect(failed.map(({ title }) => title)).toEqual([
    'every type has an example in the version that is written today',
  ]);
});

test('CONTRIBUTING names these places', () => {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const [, section = ''] = text.split('## Adding an event type, or a version of one');
  const steps = section.split('\n## ')[0]?.match(/^\d\. .*$/gm) ?? [];
  const places = ['events.ts', 'codecs.ts', 'state.ts', 'frozen-events.spec.ts', 'libs/projections/models/'];
  expect(steps.map((step, n) => step.includes(`\`${places[n] ?? ''}\``))).toEqual(places.map(() => true));
});
