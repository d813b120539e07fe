import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('main.js', import.meta.url));
/** More than these need, and far fewer than the product has: 33 when this was written. */
const FEW = 50;

/** Has a program write the addresses of all modules that it loads to a file. */
const noting = (file: string) =>
  `data:text/javascript,${encodeURIComponent(`
    import { appendFileSync } from 'node:fs';
    import { registerHooks } from 'node:module';
    registerHooks({
      load: (url, context, next) => {
        appendFileSync(${JSON.stringify(file)}, url + '\\n');
        return next(url, context);
      },
    });`)}`;

/** The modules that a command loads. */
function loadedBy(...args: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'lode-loaded-'));
  try {
    const file = join(folder, 'modules');
    const { status, stderr } = spawnSync(process.execPath, ['--import', noting(file), MAIN, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], LODE_DATA: join(folder, 'data') },
    });
    expect([0, 1]).toContain(status);
    expect(stderr).not.toContain('Error:');
    return readFileSync(file, 'utf8').trim().split('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each(['--version', '--help', 'verify --help'])('lode %s loads little', (typed) => {
  expect(loadedBy(...typed.split(' ')).length).toBeLessThan(FEW);
});

test('./lode runs the command line of its own folder, from anywhere and through a link', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lode-loaded-'));
  try {
    mkdirSync(join(folder, 'clone', 'scripts'), { recursive: true });
    copyFileSync(new URL('../../../../lode', import.meta.url), join(folder, 'clone', 'lode'));
    const script = 'console.log(JSON.stringify(process.argv.slice(2)))';
    writeFileSync(join(folder, 'clone', 'scripts', 'lode.mjs'), script);
    symlinkSync(join('clone', 'lode'), join(folder, 'link'));
    for (const command of ['./link', './clone/lode', join(folder, 'link')]) {
      const { stdout } = spawnSync(command, ['a b', '--c'], { cwd: folder, encoding: 'utf8' });
      expect(stdout).toBe('["a b","--c"]\n');
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('lode doctor loads no framework of HTTP', () => {
  const modules = loadedBy('doctor');
  expect(modules.length).toBeGreaterThan(FEW);
  expect(modules.filter((url) => /node_modules\/(?:@nestjs|@fastify|fastify|swagger)/.test(url))).toEqual([]);
});
