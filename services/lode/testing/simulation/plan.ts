import type { Draws } from '#kernel/testing/draws';

/** How past bugs looked from the other side of a port: each is a switch that has the doubles of the simulation behave so. */
export const plantedBugs = {
  'refused-append-kept': 'an append is told as one that wrote nothing, and is in the log',
  'acknowledged-append-lost': 'the log comes back without appends that it had acknowledged',
  'repeat-refused-with-batch':
    'a repeat of what was done is refused with what the append beside it failed with',
  'trust-by-wall-clock':
    'for how long a process trusts what it remembers of a session is counted by a clock that can be set back',
} as const;

export type PlantedBug = keyof typeof plantedBugs;

/** What goes wrong in a run, and how often; each run has only some of it, so that rare things meet in some run. */
export type Plan = {
  /** The longest way of a message between two programs, in milliseconds, and by how much a timer is late. */
  readonly latencyMs: number;
  readonly latenessMs: number;
  /** Shares of calls, from 0 to 1: refused before they came; lost on their way; done, with the answer lost; done much later. */
  readonly refused: number;
  readonly lost: number;
  readonly unheard: number;
  readonly late: number;
  /** Share of writes of read models that are cut off: some documents are there, and no checkpoint has moved. */
  readonly cut: number;
  /** Share of wake-ups that nobody hears. */
  readonly deaf: number;
  /** Of the faults below, how long it is between two on average, in milliseconds; and how often each of them is drawn. */
  readonly faultEveryMs: number;
  readonly faults: readonly Fault[];
  /** The most that a machine's clock is set by, in milliseconds. */
  readonly skewMs: number;
  /** Commands that clients send, how many clients there are, and the longest that one waits between two, in milliseconds. */
  readonly commands: number;
  readonly clients: number;
  readonly thinkMs: number;
  /** Share of commands that are sent again though they were answered. */
  readonly repeated: number;
  readonly cacheBytes: number;
  /** Whether programs ring when there is something new for others. */
  readonly bells: boolean;
  /** Whether jobs are in queues on a server, and not in a file that the workers share. */
  readonly queuedJobs: boolean;
  /** What people do with their sessions. */
  readonly visits: number;
};

export type Fault =
  | 'kill'
  | 'pause'
  | 'clock step'
  | 'log restart'
  | 'projector thread dies'
  | 'power loss of the read models'
  | 'jobs are lost'
  | 'half a day passes';

const everyFault: readonly Fault[] = [
  'kill',
  'kill',
  'pause',
  'pause',
  'clock step',
  'clock step',
  'log restart',
  'projector thread dies',
  'power loss of the read models',
  'jobs are lost',
  'half a day passes',
  'half a day passes',
];

/** The plan of a run. */
export function drawPlan(draws: Draws): Plan {
  const sometimes = (most: number) => (draws.chance(0.5) ? draws.between(0, most) : 0);
  return {
    latencyMs: draws.oneOf([1, 5, 20, 100]),
    latenessMs: draws.oneOf([0, 1, 20]),
    refused: sometimes(0.1),
    lost: sometimes(0.05),
    unheard: sometimes(0.05),
    late: sometimes(0.1),
    cut: sometimes(0.1),
    deaf: sometimes(0.5),
    faultEveryMs: draws.oneOf([500, 1_500, 4_000]),
    faults: everyFault.filter(() => draws.chance(0.5)),
    skewMs: draws.oneOf([1_000, 60_000, 7_200_000]),
    commands: draws.oneOf([20, 40, 80]),
    clients: draws.oneOf([2, 4, 12]),
    thinkMs: draws.oneOf([20, 200, 600]),
    repeated: draws.oneOf([0.1, 0.3]),
    cacheBytes: draws.oneOf([1, 64 * 1_024 * 1_024]),
    bells: draws.chance(0.5),
    queuedJobs: draws.chance(0.5),
    visits: draws.oneOf([0, 40, 120]),
  };
}

/** What runs have much of that are to find a planted bug which shows seldom: all else is drawn. */
export const likely: { readonly [Bug in PlantedBug]?: Partial<Plan> } = {
  'trust-by-wall-clock': { visits: 120, faults: ['clock step'], faultEveryMs: 500, skewMs: 60_000 },
};

/** Nothing goes wrong any more. */
export function calm(plan: Plan): Plan {
  const none = { refused: 0, lost: 0, unheard: 0, late: 0, cut: 0, deaf: 0, latenessMs: 0 };
  return { ...plan, ...none, latencyMs: 1, faults: [] };
}
