/**
 * The laws of the house: which folder may import which. `npm run laws` checks them, and `npm test` runs that first.
 * CONTRIBUTING.md says in words what they are for.
 */
const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

/** What each library may import: other libraries by their door, npm packages, modules of Node. An adapter is freer. */
const libraries = {
  kernel: { libs: [], npm: [], node: ['crypto'] },
  ledger: { libs: ['kernel'], npm: ['immutable'], node: [] },
  contracts: { libs: ['kernel', 'ledger'], npm: ['zod'], node: [] },
  // Pages as text, of what it is given.
  site: { libs: ['contracts'], npm: [], node: [] },
  // Plain files, for whoever keeps some.
  disk: { libs: ['kernel'], npm: [], node: ['fs', 'fs/promises', 'os'] },
  // For adapters, as the law on SQLite below has it.
  sqlite: { libs: ['kernel'], npm: [], node: ['sqlite', 'fs', 'events', 'worker_threads'] },
  // For adapters too, as the law on MongoDB below has it.
  mongodb: { libs: ['kernel'], npm: ['mongodb'], node: ['zlib'] },
  // And for adapters, as the law on Redis below has it.
  redis: { libs: ['kernel'], npm: ['ioredis'], node: [] },
  'event-store': { libs: ['kernel', 'sqlite'] },
  'read-store': { libs: ['kernel', 'sqlite', 'mongodb'] },
  files: { libs: ['kernel', 'disk', 'sqlite', 'mongodb'] },
  identity: { libs: ['kernel', 'disk', 'sqlite', 'mongodb'] },
  jobs: { libs: ['kernel', 'sqlite', 'redis'] },
  clock: { libs: ['kernel', 'sqlite', 'mongodb'] },
  leases: { libs: ['kernel', 'sqlite', 'mongodb'] },
  membership: { libs: ['kernel', 'leases', 'mongodb'] },
  orders: { libs: ['kernel', 'mongodb'] },
  bell: { libs: ['kernel', 'redis'] },
  mail: { libs: ['kernel'] },
  commands: { libs: ['kernel', 'event-store'] },
  reactors: { libs: ['kernel', 'sqlite', 'mongodb', 'ledger', 'event-store', 'commands'] },
  projections: { libs: ['kernel', 'ledger', 'event-store', 'read-store'] },
  // What is kept, looked at by and by.
  scrub: { libs: ['kernel', 'event-store', 'read-store', 'identity', 'files'] },
  // No HTTP, and no engine.
  application: {
    libs: [
      'kernel',
      'clock',
      'ledger',
      'contracts',
      'event-store',
      'read-store',
      'files',
      'identity',
      'jobs',
      'mail',
      'commands',
      'reactors',
      'projections',
      'scrub',
    ],
    npm: ['@noble/hashes', '@scure/base', 'lru-cache', 'zod'],
    node: [],
  },
  verify: { libs: ['kernel', 'ledger', 'event-store', 'read-store', 'projections'] },
  engines: {
    libs: [
      'scrub',
      'kernel',
      'clock',
      'disk',
      'sqlite',
      'event-store',
      'read-store',
      'identity',
      'files',
      'jobs',
      'leases',
      'membership',
      'orders',
      'bell',
      'mail',
      'reactors',
      'projections',
    ],
  },
};

/** The folders of a library that stand for an engine. Only libs/engines chooses one. */
const ADAPTERS = '(?:sqlite|memory|eventstoredb|mongodb|redis|folder|s3|in-process|bullmq|smtp)';
/** The folders of a library that only tests import: a port's contract suite, helpers, a server's double. */
const TEST_KITS = '(?:contract|testing|double)';
/** Where engines are chosen: nobody else knows which there are. */
const FACTORY = '^libs/engines/';
/** Helpers of the program's tests. Its index file loads all of the program, which most tests in a browser don't need. */
const PROGRAM_TESTING = 'services/lode/testing';
/** The helpers of tests that scripts load, in programs that no test runner starts. */
const LOADED_BY_SCRIPTS = [
  `^${PROGRAM_TESTING}/(?:simulation/main|many-events|memory|servers)\\.ts$`,
  '^libs/(?:event-store|files/s3|jobs/bullmq)/testing/index\\.ts$',
  '^libs/(?:event-store/eventstoredb|mongodb)/double/index\\.ts$',
  '^libs/kernel/testing/engines\\.ts$',
  '^web/e2e/axe\\.ts$',
];
/** The first files of threads and child processes, and the commands but for `start`, each loaded when it is used. */
const WITHOUT_HTTP = [
  '^libs/.+/(?:writer|decoder|[^/]+\\.worker)\\.ts$',
  '^services/(?:projector/thread|scrubber/process|worker/bonus-worker)\\.ts$',
  '^services/lode/cli/(?!(?:start|commands|index|main)\\.ts$)[^/]+\\.ts$',
];
/** Files that may use test tools. */
const TESTS = ['\\.spec\\.tsx?$', `^(?:libs|services)/.+/${TEST_KITS}/`, '^web/(?:src/test(?:ing)?|e2e)/'];

const either = (names) => `(?:${names.join('|')})`;
const known = either(Object.keys(libraries));

/** Every folder below `folder` that has an index file, as a path from the root. */
function doors(folder) {
  if (!existsSync(join(__dirname, folder))) return [];
  const entries = readdirSync(join(__dirname, folder), { withFileTypes: true });
  const own = entries.some(({ name }) => /^index\.tsx?$/.test(name)) ? [folder] : [];
  const below = entries.filter(
    (entry) => entry.isDirectory() && !['node_modules', 'dist'].includes(entry.name),
  );
  return [...own, ...below.flatMap(({ name }) => doors(`${folder}/${name}`))];
}

/** What a library may import of the others, and, for the pure ones, of everything else. */
function rulesOf([name, { libs, npm, node }]) {
  const from = { path: `^libs/${name}/`, pathNot: TESTS };
  const rules = [
    {
      name: `${name}-imports-its-own`,
      comment: `libs/${name} imports ${libs.length === 0 ? 'no other library' : `these libraries only: ${libs.join(', ')}`}.`,
      severity: 'error',
      from,
      to: { path: '^libs/', pathNot: `^libs/${either([name, ...libs])}/` },
    },
  ];
  if (npm === undefined) return rules;
  return [
    ...rules,
    {
      name: `${name}-is-pure`,
      comment: `libs/${name} imports no package and no module of Node except ${[...npm, ...node].join(', ')}.`,
      severity: 'error',
      from,
      to: {
        dependencyTypesNot: ['local', 'localmodule', 'aliased-subpath-import'],
        pathNot: [`^(?:node:)?${either([...node, '-'])}$`, `^node_modules/${either([...npm, '-'])}/`],
      },
    },
  ];
}

/**
 * Nobody reaches past a folder's index file, except to an adapter or a test kit, which have a door of their own, and tests in a
 * browser, which `browser-tests-import-contracts` allows single files of the program's test helpers.
 */
function doorRule(folder) {
  const exempt = folder === PROGRAM_TESTING ? ['^web/e2e/'] : [];
  return {
    name: 'one-door',
    comment: `${folder} is reached by its index file only; a stylesheet has no door.`,
    severity: 'error',
    from: { path: '^(?:libs|services|web)/', pathNot: [`^${folder}/`, ...exempt] },
    to: {
      path: `^${folder}/`,
      pathNot: [
        '\\.css$',
        `^${folder}/index\\.tsx?$`,
        `^libs/[^/]+/${either([ADAPTERS, TEST_KITS])}/`,
        `^libs/[^/]+/${ADAPTERS}/${TEST_KITS}/`,
      ],
    },
  };
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...Object.entries(libraries).flatMap(rulesOf),
    {
      name: 'every-library-is-listed',
      comment: 'A new library says in .dependency-cruiser.cjs what it may import.',
      severity: 'error',
      from: {},
      to: { path: '^libs/[^/]+/', pathNot: `^libs/${known}/` },
    },
    {
      name: 'libraries-know-no-service',
      comment: 'Libraries import neither services nor the front end.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(?:services|web|scripts)/' },
    },
    {
      name: 'nothing-imports-services',
      comment:
        'Only services import services; what tests in a browser import of them, browser-tests-import-contracts says.',
      severity: 'error',
      from: { pathNot: ['^services/', '^web/e2e/'] },
      to: { path: '^services/' },
    },
    {
      name: 'the-api-asks-the-application',
      comment:
        'services/api translates HTTP: of the libraries it imports the application, the contract, the site and the pure ones, and no port.',
      severity: 'error',
      from: { path: '^services/api/', pathNot: TESTS },
      to: { path: '^libs/', pathNot: '^libs/(?:application|contracts|kernel|ledger|site)/' },
    },
    {
      name: 'libraries-know-no-http',
      comment: 'Only services speak HTTP: no library imports it, not even its types.',
      severity: 'error',
      from: { path: '^libs/', pathNot: TESTS },
      to: { path: ['^(?:node:)?https?2?$', `^node_modules/(?:fastify|@fastify/.*|@nestjs/platform-.*)/`] },
    },
    {
      name: 'nest-stays-in-services',
      comment: 'Nest is known to services alone.',
      severity: 'error',
      from: { path: '^(?:libs|web|scripts)/', pathNot: TESTS },
      to: { path: '^node_modules/@nestjs/' },
    },
    {
      name: 'web-imports-contracts',
      comment: 'Of the server the front end knows the contract only.',
      severity: 'error',
      from: { path: '^web/', pathNot: '^web/e2e/' },
      to: { path: '^(?:libs|services|scripts)/', pathNot: '^libs/contracts/index\\.ts$' },
    },
    {
      name: 'browser-tests-import-contracts',
      comment:
        'Tests in a browser import the contract, what tests wait, receive mails and call the API with, and what starts their servers.',
      severity: 'error',
      from: { path: '^web/e2e/' },
      to: {
        path: '^(?:libs|services|scripts)/',
        pathNot: [
          '^libs/(?:contracts|kernel/testing|kernel/testing/port|mail/testing)/index\\.ts$',
          `^${PROGRAM_TESTING}/(?:client|mix|people)\\.ts$`,
        ],
      },
    },
    {
      name: 'services-import-no-web',
      comment: 'The server knows the front end as built files only.',
      severity: 'error',
      from: { path: '^services/' },
      to: { path: '^web/' },
    },
    {
      name: 'libraries-by-name',
      comment: 'Another library is imported as #name, never by a path.',
      severity: 'error',
      from: { path: '^(?:libs/([^/]+)|services|web)/' },
      to: { path: '^libs/', pathNot: '^libs/$1/', dependencyTypesNot: ['aliased-subpath-import'] },
    },
    {
      name: 'commands-begin-soon',
      comment: 'What every command loads, and those that only read, leave the application out.',
      severity: 'error',
      from: { path: '^services/lode/(?:settings|cli/(?:main|verify|check-[^/]+|export|backup))\\.ts$' },
      to: { path: '^libs/application/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'frameworks-are-for-http',
      comment: 'What a command, a thread or a child process loads has no framework of HTTP in it.',
      severity: 'error',
      from: { path: WITHOUT_HTTP, pathNot: TESTS },
      to: { path: '^node_modules/(?:@nestjs|@fastify|fastify|swagger-ui-dist)/', reachable: true },
    },
    {
      name: 'engines-are-chosen-in-one-place',
      comment: 'Nothing above a port knows which engine it has: only libs/engines and tests import adapters.',
      severity: 'error',
      from: { path: '^(?:libs/([^/]+)|services|web)/', pathNot: [FACTORY, ...TESTS] },
      to: { path: `^libs/[^/]+/${ADAPTERS}/`, pathNot: '^libs/$1/' },
    },
    {
      name: 'ports-know-no-adapter',
      comment: 'An adapter imports its port. The port imports no adapter, and no adapter another one.',
      severity: 'error',
      from: { path: '^libs/([^/]+)/([^/]+)', pathNot: [FACTORY, ...TESTS] },
      to: { path: `^libs/[^/]+/${ADAPTERS}/`, pathNot: '^libs/$1/$2/' },
    },
    {
      name: 'sqlite-is-an-adapters',
      comment: 'A database is opened by an adapter or by libs/engines; everybody else gets a port.',
      severity: 'error',
      from: {
        path: '^(?:libs|services|web)/',
        pathNot: [`^libs/[^/]+/${ADAPTERS}/`, '^libs/sqlite/', FACTORY, ...TESTS],
      },
      to: { path: ['^(?:node:)?sqlite$', '^libs/sqlite/'] },
    },
    {
      name: 'mongodb-is-an-adapters',
      comment: 'A MongoDB server is connected to by an adapter; everybody else gets a port.',
      severity: 'error',
      from: {
        path: '^(?:libs|services|web)/',
        pathNot: ['^libs/[^/]+/mongodb/', '^libs/mongodb/', ...TESTS],
      },
      to: { path: ['^node_modules/(?:mongodb|bson)/', '^libs/mongodb/'] },
    },
    {
      name: 'redis-is-an-adapters',
      comment: 'A Redis is connected to by an adapter; everybody else gets a port.',
      severity: 'error',
      from: {
        path: '^(?:libs|services|web)/',
        pathNot: ['^libs/[^/]+/(?:bullmq|redis)/', '^libs/redis/', ...TESTS],
      },
      to: { path: ['^node_modules/(?:ioredis|bullmq)/', '^libs/redis/'] },
    },
    {
      name: 'one-file-knows-opentelemetry',
      comment: 'Everybody else records spans by the Tracer of the kernel, or has none.',
      severity: 'error',
      from: { path: '^(?:libs|services|web)/', pathNot: '^services/lode/otlp\\.ts$' },
      to: { path: '^node_modules/@opentelemetry/' },
    },
    {
      name: 'opentelemetry-is-loaded-where-it-is-wanted',
      comment: 'What sends traces is imported when a collector is named, and not before.',
      severity: 'error',
      from: {},
      to: { path: '^services/lode/otlp\\.ts$', dynamic: false },
    },
    {
      name: 'tests-stay-tests',
      comment: 'Nothing that ships imports a spec, a contract suite, a test helper or a double.',
      severity: 'error',
      from: { path: '^(?:libs|services|web)/', pathNot: TESTS },
      to: { path: TESTS },
    },
    {
      name: 'scripts-need-no-test-runner',
      comment: 'What scripts load of the helpers of tests works without a test runner.',
      severity: 'error',
      from: { path: LOADED_BY_SCRIPTS },
      to: { path: '^node_modules/@jest/', reachable: true },
    },
    {
      name: 'ships-with-its-packages',
      comment: 'What the server runs on is a dependency, not a development dependency.',
      severity: 'error',
      from: { path: '^(?:libs|services)/', pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm'] },
    },
    {
      name: 'packages-are-declared',
      comment: 'Every package is in package.json: one that came along with another can leave with it.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'imports-exist',
      comment: 'Every import can be resolved.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-cycles',
      comment: 'No file needs itself, by whatever way.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A file that imports nothing and that nothing imports is dead.',
      severity: 'error',
      from: {
        orphan: true,
        path: '^(?:libs|services|web/src)/',
        pathNot: [
          '\\.spec\\.tsx?$',
          '\\.d\\.ts$',
          '/main\\.tsx?$',
          // Named by the build and by the tests' configuration.
          '^web/src/app/site/(?:site|widget)\\.ts$',
          '^web/src/pdf/frame\\.ts$',
          '^web/src/testing/styles\\.ts$',
        ],
      },
      to: {},
    },
    ...['libs', 'services', 'web'].flatMap(doors).map(doorRule),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(?:scripts/(?:api-tools|lighthouse|mutation)|dist|web/dist|data|coverage|\\.cache)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json', '.css'],
    },
    skipAnalysisNotInRules: true,
  },
};
