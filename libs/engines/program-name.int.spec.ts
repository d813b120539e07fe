import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngines } from '#engines';
import { startDouble } from '#mongodb/double';
import { programName } from './program-name.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lode-names-'));
  mkdirSync(join(root, 'a'));
});
afterEach(() => rmSync(root, { recursive: true }));

const folder = (name: string) => join(root, name);
const copied = () => {
  cpSync(folder('a'), folder('b'), { recursive: true });
  return folder('b');
};

describe('the name of the program of a folder (double only for leases)', () => {
  test('is that of the program before it there', () => {
    const first = programName(folder('a'));
    expect(programName(folder('a'))).toBe(first);
  });

  test('is another one in a copy of the folder', () => {
    const first = programName(folder('a'));
    const second = programName(copied());
    expect(second).not.toBe(first);
    expect(programName(folder('b'))).toBe(second);
    expect(programName(folder('a'))).toBe(first);
  });

  test('is made anew where it was kept without its folder', () => {
    writeFileSync(join(folder('a'), 'program'), 'anothername\n');
    expect(programName(folder('a'))).not.toBe('anothername');
  });
});

test('programs of two copies of a folder never have the same lease (double)', async () => {
  const double = await startDouble();
  const serve = (dataFolder: string) => openEngines({ dataFolder, mongodbUrl: double.url }, 'serve');
  try {
    const first = await serve(folder('a'));
    const second = await serve(copied());
    const lease = await first.leases.acquire('projector');
    expect(lease).toBeDefined();
    // Each has a log of its own: neither orders anything of the other.
    expect([first.orders, second.orders]).toEqual([undefined, undefined]);
    expect(await second.leases.acquire('projector')).toBeUndefined();
    expect(await lease?.renew()).toBe(true);
    await second.close();
    await first.close();
    // A program that is started again has its own, without waiting.
    const again = await serve(folder('a'));
    expect(await again.leases.acquire('projector')).toBeDefined();
    await again.close();
  } finally {
    await double.stop();
  }
});
