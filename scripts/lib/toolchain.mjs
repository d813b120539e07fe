// What every script here stands on, with built-in modules only: they run before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The Node that Lode is built for; fetched as a registry package when the one at hand is older. */
const NODE_MAJOR = 24;
export const NODE_VERSION = '24.21.0';
/** The packages that bring it, by platform, each with the hash that it must have. */
export const NODE_HASHES = {
  'linux-x64':
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  'linux-arm64':
    'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  'win-x64':
    'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
};
const cache = join(root, '.cache');

/** Says what is being done, beside what the program itself prints, unless nobody wants to know. */
function say(text) {
  if (!process.argv.includes('--quiet')) console.error(text);
}

/** Runs a program to its end. What it printed is the result, or `printed` of the error. One that takes longer than `timeout` ms is killed. */
export function run(command, args, { show = false, env = {}, cwd = root, timeout } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      timeout,
      killSignal: 'SIGKILL',
      stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    child.stdout?.on('data', (chunk) => (printed += chunk));
    child.stderr?.on('data', (chunk) => (printed += chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(printed);
      else
        reject(
          Object.assign(
            new Error(
              `${command} ${args[0] ?? ''} ended with ${code}\n${printed.split('\n').slice(0, 20).join('\n')}`,
            ),
            { code, printed },
          ),
        );
    });
  });
}

/** How npm is run: the one that runs this script, else the one on the path. */
function npm(node) {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js') ? [node, [script]] : [process.platform === 'win32' ? 'npm.cmd' : 'npm', []];
}

/**
 * The platform whose Node is fetched for a machine, and the program in that package; undefined where the Node at hand is new
 * enough. Throws where none can be fetched: npm's registry has no whole Node for macOS.
 */
export function nodeToFetch({ platform, arch, version }) {
  if (Number(version.split('.')[0]) >= NODE_MAJOR) return undefined;
  const name = `${platform === 'win32' ? 'win' : platform}-${arch}`;
  if (NODE_HASHES[name] !== undefined)
    return { platform: name, program: platform === 'win32' ? 'node.exe' : 'node' };
  const how = platform === 'darwin' ? 'with `brew install node@24`, or ' : '';
  throw new Error(
    `Lode runs on Node ${NODE_MAJOR} or later, and this machine has ${version}: install it ${how}from https://nodejs.org/en/download.`,
  );
}

/** The path of a Node of the right version; fetches one into the cache when the one at hand is older. */
export async function ensureNode() {
  const { platform: system, arch, versions } = process;
  const wanted = nodeToFetch({ platform: system, arch, version: versions.node });
  if (wanted === undefined) return process.execPath;
  const { platform, program } = wanted;
  const name = `node-${platform}`;
  const prefix = join(cache, 'node');
  const binary = join(prefix, 'node_modules', name, 'bin', program);
  const marker = join(prefix, NODE_VERSION);
  if (existsSync(marker) && existsSync(binary)) return binary;
  say(`Fetching Node ${NODE_VERSION} (this machine has ${process.versions.node}) …`);
  mkdirSync(prefix, { recursive: true });
  writeFileSync(join(prefix, 'package.json'), '{"private":true}\n');
  await install(process.execPath, ['--prefix', prefix, `${name}@${NODE_VERSION}`], { cwd: prefix });
  if (!isNodeOf(platform, installedIn(prefix))) {
    rmSync(join(prefix, 'node_modules'), { recursive: true, force: true });
    throw new Error(`The package ${name}@${NODE_VERSION} is another one than it was: it is not used.`);
  }
  writeFileSync(marker, '');
  return binary;
}

/** Whether what npm says that it has installed is the Node of a platform, by the hash that is written down here. */
export function isNodeOf(platform, installed) {
  const wanted = NODE_HASHES[platform];
  return wanted !== undefined && installed[`node_modules/node-${platform}`]?.integrity === wanted;
}

/** Has npm install something: no package may run a program of its own meanwhile. */
function install(node, args, options) {
  const [command, before] = npm(node);
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund'];
  return run(command, [...before, 'install', ...quietly, ...args], options);
}

/** What npm says that it has installed, by place, each with its version and the hash that it was checked against. */
function installedIn(folder) {
  return JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8')).packages;
}

/** Environment in which programs find the right Node first. */
export function environment(node) {
  return { PATH: dirname(node) + delimiter + (process.env.PATH ?? '') };
}

/**
 * Installs what package-lock.json says, when it says something else than last time. Not by `npm ci`: it refuses a lock
 * file without other platforms' optional packages, and npm leaves those out that its registry doesn't have. So what was
 * installed is compared with the lock file instead, package by package.
 */
export async function ensurePackages(node) {
  const stamp = join(root, 'node_modules', '.lode-installed');
  const lock = readFileSync(join(root, 'package-lock.json'));
  const wanted = digest([lock, process.platform, process.arch]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('Installing packages …');
  await install(node, ['--no-save'], { env: environment(node) });
  const others = differing(JSON.parse(lock).packages, installedIn(root));
  if (others.length > 0) {
    throw new Error(`npm installed what package-lock.json doesn't say: ${others.slice(0, 10).join(', ')}`);
  }
  writeFileSync(stamp, wanted);
}

/** The places where something else is installed than a lock file says. */
export function differing(locked, installed) {
  return Object.entries(installed)
    .filter(([place, { version, integrity }]) => {
      const said = locked[place];
      return said?.version !== version || said?.integrity !== integrity;
    })
    .map(([place]) => place);
}

/** Builds the server and, unless only that is asked for, the front end, each when its sources changed since the last build. */
export async function ensureBuilt(node, { pages = true } = {}) {
  const bin = (...path) => join(root, 'node_modules', ...path);
  await Promise.all([
    ensure(
      'Building the server',
      join(root, 'dist', '.built'),
      ['libs', 'services', 'web/e2e', '.swcrc', 'nest-cli.json'],
      () => run(node, [bin('@nestjs', 'cli', 'bin', 'nest.js'), 'build'], { env: environment(node) }),
    ),
    pages &&
      ensure(
        'Building the pages',
        join(root, 'web', 'dist', '.built'),
        [
          'web/src',
          'web/public',
          'web/vite.config.ts',
          'web/app.html',
          'web/scripts',
          'libs/contracts',
          'libs/ledger',
          'libs/kernel',
        ],
        () => run(node, [bin('vite', 'bin', 'vite.js'), 'build', 'web'], { env: environment(node) }),
      ),
  ]);
}

async function ensure(what, stamp, sources, build) {
  const wanted = digest([
    readFileSync(join(root, 'package-lock.json')),
    ...sources.flatMap((one) => listing(join(root, one))),
  ]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say(`${what} …`);
  await build();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

/** Every file below a path with its size and time: what a build looks at to see whether anything changed. */
function listing(path) {
  if (!existsSync(path)) return [];
  const stat = statSync(path);
  if (!stat.isDirectory()) return [`${path} ${stat.size} ${stat.mtimeMs}`];
  return readdirSync(path)
    .sort()
    .flatMap((name) => listing(join(path, name)));
}

function digest(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\n');
  return hash.digest('hex');
}

/** Everything that a script needs before it runs the product: Node, packages, a build. Answers with Node's path. */
export async function prepare(what = {}) {
  const node = await ensureNode();
  await ensurePackages(node);
  await ensureBuilt(node, what);
  return node;
}

/** Runs the built program `entry` until it ends, hands signals on to it, and ends as it ended. */
export function become(node, entry, args = [], env = {}) {
  const child = spawn(
    node,
    ['--enable-source-maps', '--disable-warning=ExperimentalWarning', join(root, 'dist', entry), ...args],
    {
      env: { ...process.env, ...env },
      // With the channel the program notices when this one is killed, and stops instead of living on unseen.
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    },
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event !== undefined) whenOrphaned(() => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
}

/** How often it is looked whether npm is still there, in milliseconds. */
const PARENT_MS = 500;

/** Stops when npm is gone, which passes no signal on that kills it: nobody else has the program's id. */
function whenOrphaned(stop) {
  const npm = npmAbove(process.ppid);
  const looking = setInterval(() => {
    if (isThere(npm)) return;
    clearInterval(looking);
    stop();
  }, PARENT_MS);
  looking.unref();
}

/** The id of npm, which mostly has a shell between it and what it runs; the nearest one where nobody can tell. */
function npmAbove(parent) {
  const { status, stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(parent)], {
    encoding: 'utf8',
  });
  const [, above, name] = /^\s*(\d+)\s+(.*)/.exec(status === 0 ? stdout : '') ?? [];
  return above === undefined || !/sh$/.test(name.trim()) ? parent : Number(above);
}

function isThere(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Ends with one clear sentence. */
export function fail(error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
