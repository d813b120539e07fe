import styles from './operations.module.css';

const WIDTH = 84;
const HEIGHT = 18;
const EDGE = 2;

/** Where a line of steps goes, which is at its top where most are behind; flat where none ever was. */
export function stepsOf(points: readonly number[]): string {
  const most = Math.max(...points, 1);
  const step = (WIDTH - 2 * EDGE) / Math.max(points.length - 1, 1);
  const y = (value: number) => HEIGHT - EDGE - (value / most) * (HEIGHT - 2 * EDGE);
  return points
    .map((value, at) => (at === 0 ? `M${EDGE} ${y(value)}` : `H${EDGE + at * step}V${y(value)}`))
    .join('');
}

/** How far behind something was since the page was opened. What it says stands in words, too. */
export function Sparkline({ points }: { readonly points: readonly number[] }) {
  const most = Math.round(Math.max(...points, 0));
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`At most ${most} seconds behind since this page was opened`}
    >
      <path d={stepsOf(points)} />
    </svg>
  );
}
