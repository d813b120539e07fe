import { z } from 'zod';
import { findKnownTime } from '#application';
import {
  createGuardedClock,
  instantText,
  machineClocks,
  type ClockRequests,
  type ClockState,
  type ClockTolerance,
} from '#clock';
import type { Inspection } from '#engines';
import { LodeError, pause, systemMonotonic, systemRandom, systemTimers, uuidV4 } from '#kernel';
import type { Acceptance } from '../time.js';
import { withClock } from './clock.js';
import type { Call, Outcome } from './command.js';
import { readingLog, requireLog, withExclusiveEngines, withInspection } from './folder.js';
import { reasonIn } from './parse.js';

/** What the program that runs has to answer, in milliseconds: it looks each second. */
const ANSWER_MS = 15_000;
/** Between two looks for its answer. */
const LOOK_MS = 200;

const instants = { instant: z.string(), was: z.string() };
const answers = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('accepted'), ...instants }),
  z.object({ outcome: z.literal('accepted before'), ...instants }),
  z.object({ outcome: z.literal('refused'), ...instants, why: z.string() }),
]);

/** `lode accept-clock`. */
export async function runAcceptClock(call: Call): Promise<Outcome> {
  const { settings, options, isForPeople } = call;
  await requireLog(settings);
  const reason = reasonIn(options);
  const acceptance = await withInspection(settings, async (engines) => {
    const { wall, reference } = await stateIn(engines, settings.clockTolerance);
    if (isForPeople) console.log(describe(instantText(wall), instantText(reference)));
    return engines.maintenance.isRunning() ? askProgram(engines, reason) : acceptAlone(call, reason);
  });
  if (acceptance.outcome === 'refused') throw new LodeError('setting_invalid', acceptance.why);
  const { outcome, instant, was } = acceptance;
  return {
    ok: true,
    facts: { outcome, instant, was },
    lines: [
      outcome === 'accepted'
        ? `The clock is accepted: ${instant} is the time, and the log says so.`
        : 'The clock was accepted before: there was nothing to do.',
    ],
  };
}

function describe(instant: string, was: string): string {
  return `The clock says ${instant}. The latest time that is known is ${was}.`;
}

/** How the clock of this machine stands by a log that is only read. */
export async function stateIn(
  engines: Pick<Inspection, 'openLog' | 'clockMark'>,
  tolerance: ClockTolerance,
): Promise<ClockState> {
  const guard = createGuardedClock(machineClocks, tolerance);
  const known = await readingLog(engines, (log) =>
    findKnownTime({ log, marks: { load: engines.clockMark } }),
  );
  guard.begin(known);
  return guard.state();
}

/** Accepts it without a program that has the folder; those that share its servers notice. */
function acceptAlone(call: Call, reason: string | undefined): Promise<Acceptance> {
  return withExclusiveEngines(call, async (engines) => {
    const stores = await engines.openStores();
    try {
      return await withClock(call, engines, stores, ({ clock }) => clock.accept(reason));
    } finally {
      await stores.close();
    }
  });
}

/** Has the program accept it that has the folder. */
async function askProgram(
  { openClockRequests }: Pick<Inspection, 'openClockRequests'>,
  reason: string | undefined,
): Promise<Acceptance> {
  const requests = openClockRequests();
  if (requests === undefined) throw noAnswer();
  try {
    const id = uuidV4(systemRandom);
    requests.ask({ id, reason });
    return answers.parse(JSON.parse(await answerTo(requests, id)));
  } finally {
    await requests.close();
  }
}

async function answerTo(requests: Pick<ClockRequests, 'answerOf'>, id: string): Promise<string> {
  const end = systemMonotonic() + ANSWER_MS;
  for (;;) {
    const answer = requests.answerOf(id);
    if (answer !== undefined) return answer;
    if (systemMonotonic() > end) throw noAnswer();
    await pause(systemTimers, LOOK_MS);
  }
}

function noAnswer(): LodeError {
  return new LodeError(
    'unavailable',
    'Somebody has the data folder and did not answer: look whether Lode still starts, or wait for the command that has it.',
  );
}
