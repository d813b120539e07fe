import { useWhyInfiniteQuery } from '../../api';
import { stepsOf } from './why-model';
import styles from './cards.module.css';

const WIDTH = 600;
const HEIGHT = 56;
/** Half of the line's width, so that its ends aren't cut. */
const EDGE = 3;

/**
 * The balance after each of the last entries, as steps: money moves at a moment, not on a slope. It only repeats what
 * the why-panel says in figures, so screen readers pass it by.
 */
export function BalanceLine({ userId }: { readonly userId: string | undefined }) {
  const { data } = useWhyInfiniteQuery(
    { userId: userId ?? '', currency: 'USD' },
    { skip: userId === undefined },
  );
  const heights = stepsOf(data?.pages[0]);
  const step = WIDTH / Math.max(heights.length, 1);
  const path = heights
    .map((height, index) => {
      const y = (HEIGHT - EDGE - height * (HEIGHT - 2 * EDGE)).toFixed(1);
      return index === 0 ? `M0 ${y}H${step.toFixed(1)}` : `V${y}H${((index + 1) * step).toFixed(1)}`;
    })
    .join('');
  return (
    <svg
      className={styles.line}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <path d={path} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
