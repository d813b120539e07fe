import { afterEach, beforeEach, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { uploadLimits } from '#files';
import {
  dataFolder,
  formOf,
  join,
  memoryOf,
  PNG,
  problemIn,
  requestFunding,
  startProgram,
  type Listening,
  type Person,
} from '../testing/index.js';

/* What pictures that are made to take all there is do to everybody else. */

const MIB = 1024 * 1024;
/** What pictures may add to the memory of the program and of what it starts, whose own grows meanwhile: decoded at once they would take 1,500. */
const RISE_MAX = 450 * MIB;

let folder: ReturnType<typeof dataFolder>;
let program: Listening;
beforeEach(async () => {
  folder = dataFolder();
  program = await startProgram(folder.path);
});
afterEach(async () => {
  program.child.kill('SIGKILL');
  await program.ended;
  await folder.remove();
});

/**
 * Sends so many pictures of each of some people at once, and meanwhile a small one of Ann's, who asks for funding too. Ends
 * once she has her answers and some of the large ones are through: what became of them, and how much memory that took.
 */
async function attack(picture: Uint8Array, people: number, each: number) {
  const { visitor, child } = program;
  const pid = child.pid ?? 0;
  const ann = await join(visitor, 'Ann');
  const attackers: Person[] = [];
  for (let n = 0; n < people; n++) attackers.push(await join(visitor, 'Mallory'));
  const before = memoryOf(pid);
  let most = 0;
  const looking = setInterval(() => (most = Math.max(most, memoryOf(pid))), 50);
  const done: string[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const answered = (what: string) => {
    done.push(what);
    for (const { count, resolve } of waiting) if (done.length >= count) resolve();
  };
  /** Resolves once so many of the large ones were answered. */
  const reached = (count: number) =>
    new Promise<void>((resolve) => {
      if (done.length >= count) resolve();
      else waiting.push({ count, resolve });
    });
  const send = async ({ api }: Person, image: Uint8Array) => {
    const answer = await api.call('uploadEvidence', { form: formOf(new Uint8Array(image)) });
    return answer.status < 300 ? 'stored' : problemIn(answer).code;
  };
  const refusedAtOnce = each - uploadLimits.ofOnePerson;
  for (const one of attackers)
    for (let n = 0; n < each; n++) send(one, picture).then(answered, () => undefined);
  await reached(people * refusedAtOnce);
  const small = await send(ann, PNG);
  await requestFunding(ann);
  await reached(people * refusedAtOnce + 2);
  clearInterval(looking);
  return { small, done, rise: most - before };
}

async function noise(width: number, height: number, progressive: boolean): Promise<Buffer> {
  const image = sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: progressive ? 0 : 20 },
    },
  });
  return image.jpeg({ quality: 50, progressive }).toBuffer();
}

test.each([
  ['four people, eight of each with 12 megapixels', () => noise(4_000, 3_000, false), 4, 8],
  ['one person, eight with 50 megapixels', () => noise(8_600, 5_800, true), 1, 8],
])('pictures of %s, leave room for everybody else', async (_, picture, people, each) => {
  const { small, done, rise } = await attack(await picture(), people, each);
  expect(small).toBe('stored');
  expect(rise).toBeLessThan(RISE_MAX);
  expect(done.filter((what) => what !== 'stored' && what !== 'overloaded')).toEqual([]);
});
