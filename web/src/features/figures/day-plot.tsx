import { scaleBand, scaleLinear, type ScaleBand } from 'd3-scale';
import { area, curveStepAfter, line } from 'd3-shape';
import { dayTicks } from './days';
import styles from './figures.module.css';

/** A day with what is drawn up and down from a line, and what is drawn below as a level. */
export type DayDrawn = {
  readonly day: string;
  readonly up: number;
  readonly down?: number;
  readonly level?: number;
};

type Props = {
  readonly days: readonly DayDrawn[];
  readonly width: number;
  readonly colors: { readonly up: string; readonly down?: string };
  /** The most of each direction, in words. */
  readonly most: { readonly up: string; readonly down?: string };
};

/** Pixels of the parts of a chart, from the top. */
const LABEL = 16;
const BARS = 170;
const LEVEL = 36;
const GAP = 14;
const AXIS = 20;
/** At the sides, so that the first and last words have room. */
const SIDE = 18;

/** Bars a day, up and down from one line, on one scale; below them a level, on a scale of its own. */
export function DayPlot({ days, width, colors, most }: Props) {
  const hasDown = most.down !== undefined;
  const hasLevel = days.some(({ level }) => level !== undefined);
  const bottom = BARS + (hasDown ? LABEL : 0);
  const height = bottom + (hasLevel ? GAP + LEVEL : 0) + AXIS;
  const names = days.map(({ day }) => day);
  const x = scaleBand(names, [SIDE, width - SIDE])
    .paddingInner(0.4)
    .paddingOuter(0.2);
  const [up, down] = [maxOf(days, 'up'), maxOf(days, 'down')];
  const y = scaleLinear([-down, up === 0 && down === 0 ? 1 : up], [bottom - LABEL * Number(hasDown), LABEL]);
  return (
    <svg className={styles.drawn} width={width} height={height} aria-hidden="true">
      {days.map((one) => (
        <DayBars key={one.day} one={one} x={x} y={y} colors={colors} />
      ))}
      <path className={styles.axis} d={`M${SIDE} ${y(0)}H${width - SIDE}`} />
      {up === 0 && down === 0 && (
        <text x={width / 2} y={y(0) - LABEL} textAnchor="middle">
          Nothing on these days.
        </text>
      )}
      <Most days={days} of="up" x={x} y={y(up) - 5} text={most.up} width={width} />
      {most.down !== undefined && (
        <Most days={days} of="down" x={x} y={y(-down) + 13} text={most.down} width={width} />
      )}
      {hasLevel && <Level days={days} x={x} top={bottom + GAP} />}
      {dayTicks(names, x.step()).map(({ day, label }) => (
        <text key={day} x={centerOf(x, day)} y={height - 5} textAnchor="middle">
          {label}
        </text>
      ))}
    </svg>
  );
}

type BarsProps = Pick<Props, 'colors'> & {
  readonly one: DayDrawn;
  readonly x: ScaleBand<string>;
  readonly y: (value: number) => number;
};

function DayBars({ one: { day, up, down = 0 }, x, y, colors }: BarsProps) {
  const left = x(day) ?? 0;
  return (
    <>
      {up > 0 && (
        <rect className={colors.up} x={left} width={x.bandwidth()} y={y(up)} height={y(0) - y(up)} />
      )}
      {down > 0 && (
        <rect className={colors.down} x={left} width={x.bandwidth()} y={y(0)} height={y(-down) - y(0)} />
      )}
    </>
  );
}

type MostProps = Pick<Props, 'days' | 'width'> & {
  readonly of: 'up' | 'down';
  readonly x: ScaleBand<string>;
  readonly y: number;
  readonly text: string;
};

/** Half of what the longest amount takes: its words stay within the chart. */
const HALF = 48;

/** The words at the longest bar; none where there is no bar. */
function Most({ days, of, x, y, text, width }: MostProps) {
  const most = maxOf(days, of);
  const day = days.find((one) => one[of] === most)?.day;
  if (most === 0 || day === undefined) return null;
  const center = Math.min(Math.max(centerOf(x, day), HALF), width - HALF);
  return (
    <text x={center} y={y} textAnchor="middle">
      {text}
    </text>
  );
}

type LevelProps = Pick<Props, 'days'> & { readonly x: ScaleBand<string>; readonly top: number };

/** A level at the end of each day, as steps. */
function Level({ days, x, top }: LevelProps) {
  const y = scaleLinear([0, maxOf(days, 'level') || 1], [top + LEVEL, top]);
  const [first, end] = x.range();
  // The last step goes on to the end of its day.
  const steps = [
    ...days.map(({ day, level = 0 }) => ({ at: startOf(x, day), level })),
    {
      at: end,
      level: days.at(-1)?.level ?? 0,
    },
  ];
  const at = (step: { readonly at: number }) => step.at;
  const fill = area<(typeof steps)[number]>(at, y(0), ({ level }) => y(level)).curve(curveStepAfter);
  const edge = line<(typeof steps)[number]>(at, ({ level }) => y(level)).curve(curveStepAfter);
  return (
    <>
      <path className={styles.levelFill} d={fill(steps) ?? ''} />
      <path className={styles.levelEdge} d={edge(steps) ?? ''} />
      <path className={styles.axis} d={`M${first} ${y(0)}H${end}`} />
    </>
  );
}

function maxOf(days: readonly DayDrawn[], name: 'up' | 'down' | 'level'): number {
  return Math.max(0, ...days.map((one) => one[name] ?? 0));
}

function centerOf(x: ScaleBand<string>, day: string): number {
  return (x(day) ?? 0) + x.bandwidth() / 2;
}

/** Where a day's share of the axis begins, with half of the gap before it. */
function startOf(x: ScaleBand<string>, day: string): number {
  return (x(day) ?? 0) - (x.step() - x.bandwidth()) / 2;
}
