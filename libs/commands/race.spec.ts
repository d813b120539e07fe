import { describe, expect, test } from '@jest/globals';
import { CONFLICT_DEADLINE_MS, startRace } from './race.js';
import { manualTimers } from './testing/index.js';

/** A race whose pauses are drawn in the middle, and which of its promises have been kept. */
function raceOf(byte = 128) {
  const { timers, waiting, fire } = manualTimers();
  const race = startRace({ timers, random: (bytes) => new Uint8Array(bytes).fill(byte) });
  /** What is waited for beside the deadline. */
  const pauses = () => waiting().filter((ms) => ms !== CONFLICT_DEADLINE_MS);
  return { race, waiting, pauses, fire };
}

describe('a race for a stream', () => {
  test('begins with its deadline, and the first conflict waits for nothing', async () => {
    const { race, waiting } = raceOf();
    expect(waiting()).toEqual([CONFLICT_DEADLINE_MS]);
    expect(await race.lost()).toBeUndefined();
    expect(waiting()).toEqual([CONFLICT_DEADLINE_MS]);
  });

  test('pauses longer after each further conflict, and never for longer than 20 ms', async () => {
    const { race, pauses, fire } = raceOf();
    await race.lost();
    const waited: number[] = [];
    for (let conflict = 2; conflict < 8; conflict += 1) {
      const lost = race.lost();
      waited.push(...pauses());
      fire(20);
      expect(await lost).toBeUndefined();
    }
    expect(waited).toEqual([2.5, 5, 10, 10, 10, 10]);
  });

  test.each([
    [0, 0],
    [255, 4.98046875],
  ])('draws its pauses, so that those who lost together do not come together: %d', async (byte, ms) => {
    const { race, pauses, fire } = raceOf(byte);
    await race.lost();
    const lost = race.lost();
    expect(pauses()).toEqual([ms]);
    fire(ms);
    await lost;
  });

  test('is over at the deadline: whoever loses then is told at once to come again in a second', async () => {
    const { race, waiting, fire } = raceOf();
    await race.lost();
    fire(CONFLICT_DEADLINE_MS);
    for (const time of [1, 2])
      expect([time, await race.lost()]).toEqual([
        time,
        expect.objectContaining({ code: 'overloaded', details: { retryAfterSeconds: 1 } }),
      ]);
    expect(waiting()).toEqual([]);
  });

  test('is won after a pause that lets the others in, and has no deadline then', async () => {
    const { race, waiting, fire } = raceOf();
    await race.lost();
    let isOn = false;
    const won = race.won().then(() => (isOn = true));
    expect(waiting()).toEqual([4.5]);
    await Promise.resolve();
    expect(isOn).toBe(false);
    fire(4.5);
    await won;
    expect(waiting()).toEqual([]);
  });
});
