import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { systemTimers, type Timers } from '#kernel';
import { until } from '#kernel/testing';
import { mediaTypeOf } from '#files';
import { bomb, pictures } from '../testing/index.js';
import { createDecoder, type Decoder } from './index.js';
import { decoderLimits } from './process.js';

const MIB = 1024 * 1024;

/** The ids of the processes that this one has started to decode images, beside those that were there before. */
function children(before: readonly number[] = []): readonly number[] {
  const all = execFileSync('ps', ['-o', 'pid=,ppid=,args=', '-A'], { encoding: 'utf8' });
  return [...all.matchAll(/^ *(\d+) +(\d+) .*images\/decoder\.js$/gm)]
    .filter(([, , parent]) => Number(parent) === process.pid)
    .map(([, pid]) => Number(pid))
    .filter((pid) => !before.includes(pid));
}

const asked = (image: Uint8Array) => ({ image, type: 'image/png', purpose: 'evidence' }) as const;

async function decoderUsed(decode: Decoder): Promise<void> {
  const { png } = await pictures();
  expect(await mediaTypeOf(await decode(asked(png)).encoded)).toBe('image/webp');
}

describe('the process in which images are decoded', () => {
  test('is started with the first, kept for the next, and ended when there is none', async () => {
    let idle: (() => void) | undefined;
    // However slow the machine is, the process is idle for too long when the test says so.
    const timers: Timers = {
      ...systemTimers,
      after: (ms, done) => {
        if (ms !== decoderLimits.idleMs) return systemTimers.after(ms, done);
        idle = done;
        return () => (idle = undefined);
      },
    };
    const decode = createDecoder(timers);
    const before = children();
    await decoderUsed(decode);
    const first = children(before);
    expect(first.length).toBe(1);
    await decoderUsed(decode);
    expect(children(before)).toEqual(first);
    idle?.();
    await until(() => children(before).length === 0);
    await decoderUsed(decode);
    expect(children(before)).not.toEqual(first);
  });

  test('tells why it refuses an image', async () => {
    const decode = createDecoder(systemTimers, { ...decoderLimits, idleMs: 200 });
    await expect(decode(asked(bomb(50_001, 1_000, 0))).encoded).rejects.toMatchObject({
      code: 'file_too_large',
      message: 'Please choose an image of at most 50 megapixels.',
    });
    await expect(decode(asked(Buffer.from('none'))).encoded).rejects.toMatchObject({ code: 'file_type' });
  });

  test('is ended when it takes too much memory, and another one decodes the next image', async () => {
    const decode = createDecoder(systemTimers, { lookMs: 1, memoryBytes: 90 * MIB, idleMs: 200 });
    const { png } = await pictures({ width: 6_000, height: 5_000 });
    await expect(decode(asked(png)).encoded).rejects.toMatchObject({ code: 'overloaded' });
    await decoderUsed(decode);
  });

  test('is ended when an image is given up, and another one decodes the next image', async () => {
    const decode = createDecoder(systemTimers, { ...decoderLimits, idleMs: 200 });
    const { png } = await pictures({ width: 3_000, height: 2_000 });
    const { encoded, giveUp } = decode(asked(png));
    giveUp();
    await expect(encoded).rejects.toMatchObject({ code: 'overloaded' });
    await decoderUsed(decode);
  });

  test('that dies by itself takes no more than its image with it', async () => {
    const decode = createDecoder();
    const before = children();
    await decoderUsed(decode);
    const [pid = 0] = children(before);
    const { png } = await pictures({ width: 3_000, height: 2_000 });
    const { encoded } = decode(asked(png));
    process.kill(pid, 'SIGSEGV');
    await expect(encoded).rejects.toMatchObject({ code: 'overloaded' });
    await decoderUsed(decode);
  });
});
