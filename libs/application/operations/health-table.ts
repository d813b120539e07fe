/** What an answer to whoever asks for the readiness says: by its HTTP status 200, 200 and 503. */
export type Readiness = 'ok' | 'degraded' | 'unavailable';

/** In the order of how grave they are. */
const ORDER: readonly Readiness[] = ['ok', 'degraded', 'unavailable'];

/** A state that a part of the program may be in, what it means to whoever asks something, and what is answered then. */
type State = { readonly means: string; readonly answer: Exclude<Readiness, 'ok'> };

/**
 * Part by state: 503 is answered only while commands or queries can't be. `docs/how-to/watch.md` has the same table, which
 * a test compares with it.
 */
export const healthTable = {
  log: {
    away: { means: 'it can’t be read', answer: 'unavailable' },
    behind: { means: 'it lost what it acknowledged', answer: 'unavailable' },
    newer: {
      means:
        'a [newer program](scale-out.md#a-new-version-beside-the-old-one) has written events, or made read models, that this one can’t read: it is to be replaced',
      answer: 'unavailable',
    },
    damaged: {
      means: 'damaged events were met: what needs them is refused, all else is answered',
      answer: 'degraded',
    },
  },
  projections: {
    away: { means: 'read models can’t be read', answer: 'unavailable' },
    stalled: { means: 'read models stand still', answer: 'unavailable' },
    stalledElsewhere: {
      means:
        'read models that another program makes stand still: commands are answered, queries show the past',
      answer: 'degraded',
    },
    parked: { means: 'events are [parked](rebuild.md#when-events-are-parked)', answer: 'degraded' },
    damaged: {
      means: 'documents are [damaged](rebuild.md#when-a-document-is-damaged) and not made again yet',
      answer: 'degraded',
    },
  },
  reactors: {},
  jobs: {
    away: {
      means: 'a worker can’t reach where their runs are kept: it can do nothing',
      answer: 'unavailable',
    },
    awayBeside: {
      means: 'a program that has all parts can’t reach where their runs are kept: all else goes on',
      answer: 'degraded',
    },
    noWorker: {
      means:
        'no program that could run them has been seen for 15 seconds: no bonus is paid and nothing is swept, all else goes on',
      answer: 'degraded',
    },
  },
  transfers: { stalled: { means: 'some stand still', answer: 'degraded' } },
  identity: {
    away: { means: 'it can’t be read', answer: 'unavailable' },
    damaged: {
      means: 'rows are [damaged](restore.md#when-a-row-of-identity-is-damaged): these people are refused',
      answer: 'degraded',
    },
    unchangeable: {
      means: 'it takes no changes: nobody new signs in or registers, who is signed in stays so',
      answer: 'degraded',
    },
  },
  head: {
    unkept: {
      means:
        'how far log and identities have come [can’t be kept](restore.md#when-the-end-of-something-is-lost): after a death a loss may go unnoticed',
      answer: 'degraded',
    },
  },
  clock: {
    refused: {
      means: 'it is not accepted: commands that write are refused, queries are answered',
      answer: 'degraded',
    },
  },
  disk: {
    full: {
      means: 'less than 1 MiB is free: commands are refused, queries are answered',
      answer: 'degraded',
    },
    narrow: {
      means: 'little is free, or uploaded files take what they may: uploads are refused, all else goes on',
      answer: 'degraded',
    },
  },
  scrub: {
    damaged: {
      means:
        'the [look at everything](#is-everything-still-what-was-written) found damage that only a backup mends',
      answer: 'degraded',
    },
    missed: {
      means:
        'a part could not be looked at, for its store was away; the look of the next day comes back to it',
      answer: 'degraded',
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, State>>>>;

export type HealthPart = keyof typeof healthTable;
export type StateOf<Part extends HealthPart> = keyof (typeof healthTable)[Part];

/** How a part is: the answer that its state stands for, and the state in words. */
export type PartHealth = { readonly answer: Readiness; readonly words: string };

/** A part in one of its states; without one it is as it should be. */
export function partIn<Part extends HealthPart>(
  part: Part,
  state: StateOf<Part> | undefined,
  words: string,
): PartHealth {
  const states: Readonly<Record<string, State>> = healthTable[part];
  return { answer: states[String(state)]?.answer ?? 'ok', words };
}

/** The gravest of some answers. */
export function gravest(answers: readonly Readiness[]): Readiness {
  const most = Math.max(0, ...answers.map((answer) => ORDER.indexOf(answer)));
  return ORDER[most] ?? 'ok';
}
