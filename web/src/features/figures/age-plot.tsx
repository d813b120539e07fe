import { scaleLinear } from 'd3-scale';
import type { RequestsByAge } from '#contracts';
import { exactMoney } from '../../lib';
import styles from './figures.module.css';

const ROW = 36;
const BAR = 20;
const NAMES = 84;
/** Of how many and how much stands behind the longest bar. */
const FIGURES = 150;
/** From this age on somebody has waited for more than a day. */
const LONG_HOURS = 24;

export type Age = RequestsByAge['ages'][number];

/** An age in words. */
export function ageWords({ fromHours, toHours }: Age): string {
  if (toHours === null) return `over ${fromHours} h`;
  return fromHours === 0 ? `under ${toHours} h` : `${fromHours} to ${toHours} h`;
}

/** Requests of all kinds that have this age. */
export function countOf({ funding, withdrawals, transfers }: Age): number {
  return funding + withdrawals + transfers;
}

/** A bar an age, the youngest first, with how many requests have it and what they come to. */
export function AgePlot({ ages, width }: { readonly ages: readonly Age[]; readonly width: number }) {
  const most = Math.max(1, ...ages.map(countOf));
  const length = scaleLinear([0, most], [0, Math.max(40, width - NAMES - FIGURES)]);
  return (
    <svg className={styles.drawn} width={width} height={ages.length * ROW} aria-hidden="true">
      {ages.map((age, n) => {
        const [count, middle] = [countOf(age), n * ROW + ROW / 2];
        const isLong = age.fromHours >= LONG_HOURS;
        return (
          <g key={age.fromHours} className={isLong && count > 0 ? styles.long : ''}>
            <text y={middle + 4}>{ageWords(age)}</text>
            <rect className={styles.bar} x={NAMES} y={middle - BAR / 2} width={length(count)} height={BAR} />
            <text x={NAMES + length(count) + (count === 0 ? 0 : 8)} y={middle + 4}>
              {count === 0 ? (
                'none'
              ) : (
                <>
                  <tspan className={styles.strong}>{count}</tspan>{' '}
                  <tspan dx={4}>{exactMoney(age.amount, 'USD')}</tspan>
                </>
              )}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
