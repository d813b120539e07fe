import { describe, expect, test } from '@jest/globals';
import { periodOf, startOfDay } from './calendar.js';

const HOUR = 3_600_000;
const at = (instant: string) => Date.parse(instant);

describe('a day in a time zone', () => {
  test.each([
    ['UTC', '2026-01-31', '2026-01-31T00:00:00Z', 24],
    ['Africa/Lagos', '2026-01-31', '2026-01-30T23:00:00Z', 24],
    ['Asia/Kolkata', '2026-01-31', '2026-01-30T18:30:00Z', 24],
    ['Pacific/Kiritimati', '2026-01-31', '2026-01-30T10:00:00Z', 24],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z', 23],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z', 25],
    // Midnight was left out, the day began at one o'clock.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z', 23],
    // Midnight came twice, the day began with the first.
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00Z', 25],
    // The day before was never there.
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z', 24],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z', 0],
    // The day before ended in a leap.
    ['Antarctica/Troll', '2026-03-29', '2026-03-29T00:00:00Z', 22],
  ])('%s, %s', (zone, day, begins, hours) => {
    const period = periodOf(day, day, zone);
    expect(new Date(period.begins)).toEqual(new Date(begins));
    expect((period.ends - period.begins) / HOUR).toBe(hours);
  });

  test('begins where the one before ends, on every day of some years', () => {
    for (const zone of ['Europe/Berlin', 'America/St_Johns', 'Africa/Cairo', 'Australia/Lord_Howe']) {
      for (let day = at('2010-10-20'); day < at('2011-04-20'); day += 24 * HOUR) {
        const [today, tomorrow] = [day, day + 24 * HOUR].map((one) =>
          new Date(one).toISOString().slice(0, 10),
        );
        const { begins, ends } = periodOf(today ?? '', today ?? '', zone);
        expect(begins).toBeLessThan(ends);
        expect(ends).toBe(startOfDay(tomorrow ?? '', zone));
      }
    }
  });
});
