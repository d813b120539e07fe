import { scaleLinear } from 'd3-scale';
import { area, curveStepBefore, line } from 'd3-shape';
import type { Point } from './seen';
import styles from './figures.module.css';

const HEIGHT = 150;
const TOP = 14;
const BOTTOM = HEIGHT - 22;
const LEFT = 44;
const RIGHT = 8;
const TICKS = 3;
const MS_PER_SECOND = 1_000;
const SECONDS = 60;

type Props = {
  readonly points: readonly Point[];
  readonly width: number;
  /** How a figure of the scale is written. */
  readonly say: (value: number) => string;
};

/** What was seen from moment to moment, as steps over a scale that begins with nothing. */
export function LinePlot({ points, width, say }: Props) {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  const x = scaleLinear([first.at, Math.max(last.at, first.at + 1)], [LEFT, width - RIGHT]);
  const most = Math.max(...points.map(({ value }) => value), 1);
  const y = scaleLinear([0, most], [BOTTOM, TOP]).nice(TICKS);
  const at = (point: Point) => x(point.at);
  const fill = area<Point>(at, BOTTOM, ({ value }) => y(value)).curve(curveStepBefore);
  const edge = line<Point>(at, ({ value }) => y(value)).curve(curveStepBefore);
  return (
    <svg className={styles.drawn} width={width} height={HEIGHT} aria-hidden="true">
      {y.ticks(TICKS).map((tick) => (
        <g key={tick}>
          <path
            className={tick === 0 ? styles.axis : styles.rule}
            d={`M${LEFT} ${y(tick)}H${width - RIGHT}`}
          />
          <text x={LEFT - 6} y={y(tick) + 4} textAnchor="end">
            {say(tick)}
          </text>
        </g>
      ))}
      <path className={styles.lineFill} d={fill([...points]) ?? ''} />
      <path className={styles.lineEdge} d={edge([...points]) ?? ''} />
      <text x={LEFT} y={HEIGHT - 5}>
        {points.length > 1 ? `${agoOf(last.at - first.at)} before` : 'latest'}
      </text>
      {points.length > 1 && (
        <text x={width - RIGHT} y={HEIGHT - 5} textAnchor="end">
          latest
        </text>
      )}
    </svg>
  );
}

/** A length of time in its largest unit: what is drawn is at most some minutes. */
function agoOf(ms: number): string {
  const seconds = Math.round(ms / MS_PER_SECOND);
  return seconds < SECONDS ? `${seconds} s` : `${Math.round(seconds / SECONDS)} min`;
}
