import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/*
 * Every law of `.dependency-cruiser.cjs` is broken here, each by a file that breaks no other: all of them together are
 * looked at once, in a small house that is in order but for them.
 */

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const LAWS = '.dependency-cruiser.cjs';
const CRUISE = join(ROOT, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs');

type Law = { readonly name: string };
const laws = createRequire(import.meta.url)(join(ROOT, LAWS)) as { readonly forbidden: readonly Law[] };

const LIBRARIES = [
  'kernel',
  'ledger',
  'contracts',
  'event-store',
  'read-store',
  'files',
  'identity',
  'jobs',
  'commands',
  'reactors',
  'projections',
  'application',
  'verify',
  'engines',
];
const PACKAGES = [
  'zod',
  'immutable',
  'fastify',
  '@nestjs/common',
  '@nestjs/cqrs',
  'mongodb',
  'ioredis',
  '@opentelemetry/api',
];

/** A law, the file that breaks it, and what that file says. */
type Breach = readonly [law: string, file: string, text: string];

/** A library that imports one that it may not. */
function foreign(library: string, other: string): Breach {
  return [`${library}-imports-its-own`, `libs/${library}/foreign.ts`, `import '#${other}';`];
}

/** A pure library that imports a package that it may not. */
function impure(library: string, name: string): Breach {
  return [`${library}-is-pure`, `libs/${library}/impure.ts`, `import '${name}';`];
}

const breaches: readonly Breach[] = [
  foreign('kernel', 'ledger'),
  foreign('ledger', 'contracts'),
  foreign('contracts', 'identity'),
  foreign('site', 'ledger'),
  foreign('disk', 'ledger'),
  foreign('mail', 'ledger'),
  impure('disk', 'zod'),
  foreign('sqlite', 'ledger'),
  impure('sqlite', 'zod'),
  foreign('mongodb', 'ledger'),
  impure('mongodb', 'zod'),
  foreign('event-store', 'ledger'),
  foreign('read-store', 'ledger'),
  foreign('files', 'ledger'),
  foreign('identity', 'ledger'),
  foreign('jobs', 'ledger'),
  foreign('clock', 'ledger'),
  foreign('scrub', 'ledger'),
  foreign('leases', 'ledger'),
  foreign('orders', 'ledger'),
  foreign('redis', 'ledger'),
  impure('redis', 'zod'),
  foreign('bell', 'ledger'),
  foreign('membership', 'ledger'),
  foreign('commands', 'ledger'),
  foreign('reactors', 'read-store'),
  foreign('projections', 'commands'),
  foreign('application', 'verify'),
  foreign('verify', 'commands'),
  foreign('engines', 'ledger'),
  impure('kernel', 'zod'),
  impure('ledger', 'zod'),
  impure('contracts', 'immutable'),
  impure('application', 'immutable'),
  impure('site', 'node:fs'),
  ['every-library-is-listed', 'services/worker/unlisted.ts', "import '#unlisted';"],
  ['libraries-know-no-service', 'libs/files/web.ts', "import '../../web/src/page.js';"],
  ['nothing-imports-services', 'scripts/service.mjs', "import '../services/api/index.js';"],
  ['web-imports-contracts', 'web/src/server.ts', "import '#kernel';"],
  ['browser-tests-import-contracts', 'web/e2e/server.ts', "import '#kernel';"],
  ['browser-tests-import-contracts', 'web/e2e/main.ts', "import '../../services/lode/main.js';"],
  ['browser-tests-import-contracts', 'web/e2e/helpers.ts', "import '../../services/lode/testing/index.js';"],
  ['services-import-no-web', 'services/api/page.ts', "import '../../web/src/page.js';"],
  ['the-api-asks-the-application', 'services/api/port.ts', "import '#read-store';"],
  ['the-api-asks-the-application', 'services/api/types.ts', "import type { a } from '#identity';"],
  ['libraries-by-name', 'services/api/by-path.ts', "import '../../libs/kernel/index.js';"],
  ['libraries-know-no-http', 'libs/jobs/node.ts', "import 'node:http';"],
  ['libraries-know-no-http', 'libs/jobs/types.ts', "import type { FastifyRequest } from 'fastify';"],
  ['nest-stays-in-services', 'libs/reactors/common.ts', "import '@nestjs/common';"],
  ['nest-stays-in-services', 'libs/reactors/cqrs.ts', "import '@nestjs/cqrs';"],
  ['commands-begin-soon', 'services/lode/settings.ts', "import '#application';"],
  ['frameworks-are-for-http', 'services/lode/cli/slow.ts', "import '../framework.js';"],
  ['frameworks-are-for-http', 'services/projector/thread.ts', "import './framework.js';"],
  ['engines-are-chosen-in-one-place', 'services/projector/engine.ts', "import '#event-store/sqlite';"],
  ['engines-are-chosen-in-one-place', 'services/worker/engine.ts', "import '#jobs/in-process';"],
  ['engines-are-chosen-in-one-place', 'services/worker/redis.ts', "import '#jobs/bullmq';"],
  ['engines-are-chosen-in-one-place', 'services/lode/cli/engine.ts', "import '#event-store/sqlite';"],
  ['sqlite-is-an-adapters', 'services/lode/cli/database.ts', "import 'node:sqlite';"],
  ['sqlite-is-an-adapters', 'libs/read-store/database.ts', "import '#sqlite';"],
  ['mongodb-is-an-adapters', 'services/lode/cli/driver.ts', "import 'mongodb';"],
  ['mongodb-is-an-adapters', 'libs/read-store/server.ts', "import '#mongodb';"],
  ['redis-is-an-adapters', 'services/lode/cli/cache.ts', "import 'ioredis';"],
  ['redis-is-an-adapters', 'libs/jobs/server.ts', "import '#redis';"],
  ['ports-know-no-adapter', 'libs/event-store/engine.ts', "import './sqlite/index.js';"],
  ['ports-know-no-adapter', 'libs/jobs/bullmq/other.ts', "import '../in-process/index.js';"],
  ['one-file-knows-opentelemetry', 'services/api/span.ts', "import '@opentelemetry/api';"],
  ['opentelemetry-is-loaded-where-it-is-wanted', 'services/lode/eager.ts', "import './otlp.js';"],
  ['tests-stay-tests', 'libs/commands/ships.ts', "import './testing/index.js';"],
  ['scripts-need-no-test-runner', 'services/lode/testing/many-events.ts', "import './client.js';"],
  ['ships-with-its-packages', 'services/api/tool.ts', "import 'a-tool';"],
  ['packages-are-declared', 'services/api/undeclared.ts', "import 'undeclared';"],
  ['imports-exist', 'services/api/nowhere.ts', "import './there-is-none.js';"],
  ['no-cycles', 'services/api/one.ts', "import './two.js';"],
  ['no-orphans', 'services/api/alone.ts', 'export const alone = 1;'],
  ['one-door', 'services/worker/past-the-door.ts', "import '../api/inside.js';"],
  ['one-door', 'services/api/servers.spec.ts', "import '../lode/testing/mix.js';"],
];

/** What is in order. */
const house: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    name: 'house',
    type: 'module',
    imports: { '#*': { source: './libs/*/index.ts' } },
    dependencies: Object.fromEntries(PACKAGES.map((name) => [name, '1.0.0'])),
    devDependencies: { 'a-tool': '1.0.0', '@jest/globals': '1.0.0' },
  }),
  'tsconfig.json': JSON.stringify({ compilerOptions: { module: 'nodenext', customConditions: ['source'] } }),
  ...Object.fromEntries(
    [...PACKAGES, 'a-tool', '@jest/globals', 'undeclared'].flatMap((name) => [
      [`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' })],
      [`node_modules/${name}/index.js`, ''],
    ]),
  ),
  ...Object.fromEntries(LIBRARIES.map((name) => [`libs/${name}/index.ts`, 'export const a = 1;'])),
  'libs/disk/index.ts': 'export const a = 1;',
  'libs/sqlite/index.ts': 'export const a = 1;',
  'libs/mongodb/index.ts': "import 'mongodb';\nexport const a = 1;",
  'libs/redis/index.ts': "import 'ioredis';\nexport const a = 1;",
  'libs/bell/index.ts': 'export const a = 1;',
  'libs/bell/redis/index.ts': "import '#bell';\nimport '#redis';",
  'libs/leases/mongodb/index.ts': "import '#mongodb';\nexport const a = 1;",
  'libs/event-store/sqlite/index.ts': "import '#sqlite';\nexport const a = 1;",
  'libs/jobs/in-process/index.ts': 'export const a = 1;',
  'libs/jobs/bullmq/index.ts': 'export const a = 1;',
  'libs/commands/testing/index.ts': 'export const a = 1;',
  'libs/unlisted/index.ts': 'export const a = 1;',
  'libs/commands/allowed.spec.ts': "import '#event-store/sqlite';\nimport './testing/index.js';",
  'libs/engines/choice.ts': "import '#event-store/sqlite';\nimport '#disk';",
  'services/api/index.ts':
    "import '@nestjs/common';\nimport '@nestjs/cqrs';\nimport 'fastify';\nimport './inside.js';",
  'services/api/inside.ts':
    "import '#application';\nimport '#contracts';\nimport '#kernel';\nimport '#ledger';",
  'services/api/inside.spec.ts': "import '#read-store';",
  'services/api/two.ts': "import './one.js';",
  'services/lode/otlp.ts': "import '@opentelemetry/api';",
  'services/lode/traces.ts': "export const begin = () => import('./otlp.js');",
  'services/lode/main.ts': LIBRARIES.map((name) => `import '#${name}';`).join('\n'),
  'services/lode/cli/start.ts': "import '../framework.js';",
  'services/lode/framework.ts': "import '@nestjs/common';",
  'services/projector/framework.ts': "import '@nestjs/common';",
  'services/lode/testing/index.ts': "import './client.js';\nimport './mix.js';\nimport './people.js';",
  'services/lode/testing/mix.ts': 'export const a = 1;',
  'services/lode/testing/client.ts': "import '@jest/globals';\nexport const b = 1;",
  'services/lode/testing/people.ts': 'export const c = 1;',
  'web/src/page.ts': "import '#contracts';",
  'web/e2e/program.ts': "import '#contracts';\nimport '../../services/lode/testing/mix.js';",
  'web/e2e/people.ts':
    "import '../../services/lode/testing/client.js';\nimport '../../services/lode/testing/people.js';",
};

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'lode-laws-'));
let found: readonly (readonly [law: string, file: string])[];

beforeAll(async () => {
  for (const [file, text] of [
    ...Object.entries(house),
    ...breaches.map(([, file, text]) => [file, text] as const),
  ]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  copyFileSync(join(ROOT, LAWS), join(folder, LAWS));
  const { stdout } = await run(process.execPath, [CRUISE, '.', '--output-type', 'json'], {
    cwd: folder,
  }).catch(
    // It ends with the number of what it found.
    (error: unknown) => error as { readonly stdout: string },
  );
  const { summary } = JSON.parse(stdout) as {
    readonly summary: {
      readonly violations: readonly { readonly rule: Law; readonly from: string }[];
    };
  };
  found = summary.violations.map(({ rule, from }) => [rule.name, from] as const);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the laws of the house', () => {
  test('are each broken here', () => {
    const broken = new Set(breaches.map(([law]) => law));
    expect(laws.forbidden.map(({ name }) => name).filter((name) => !broken.has(name))).toEqual([]);
  });

  test.each(breaches)('refuse, as %s, what %s imports, and say nothing else of it', (law, file) => {
    expect(found.filter(([, from]) => from === file)).toEqual([[law, file]]);
  });

  test('say nothing of what is in order', () => {
    expect(found.filter(([, from]) => from in house)).toEqual([]);
  });
});
