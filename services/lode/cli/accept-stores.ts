import { acceptStores, createAggregates } from '#application';
import type { ExclusiveEngines, HeadReport } from '#engines';
import { LodeError, systemRandom } from '#kernel';
import type { AcceptedStores } from '#ledger';
import { withAcceptedClock } from './clock.js';
import type { Call, Outcome } from './command.js';
import { requireLog, withExclusiveEngines } from './folder.js';
import { reasonIn, requireConsent } from './parse.js';

const WORD = 'accept';

/** `lode accept-stores`. */
export async function runAcceptStores(call: Call): Promise<Outcome> {
  const { settings, options } = call;
  const reason = reasonIn(options);
  requireConsent(call, 'What is lost then stays lost', 'accept-stores');
  await requireLog(settings);
  return withExclusiveEngines(call, async (engines) => {
    const report = await engines.headReport();
    const { kept, found, wrong } = report;
    const facts = {
      was: kept === undefined ? null : { position: kept.position, keptAt: kept.keptAt },
      found: { position: found.position, changes: found.changes },
      wrong,
    };
    if (wrong.length === 0)
      return {
        ok: true,
        facts: { outcome: 'nothing', ...facts },
        lines: ['Log and identities are as they were kept last: there was nothing to do.'],
      };
    if (options['yes'] !== true) await makeSure(call, wrong);
    const position = await goOn(call, engines, acceptedOf(report, reason));
    return {
      ok: true,
      facts: { outcome: 'accepted', ...facts, position },
      lines: [
        ...wrong,
        `Log and identities are gone on with as they are, which the log says at position ${position}. A new head is kept.`,
      ],
    };
  });
}

/** Shows what is lost, and has whoever typed the command say that it is. Refuses with `not_permitted` when they don't. */
async function makeSure({ ask }: Call, wrong: readonly string[]): Promise<void> {
  const typed = await ask?.(`${wrong.join('\n')}\nWhat is lost then stays lost. Type ${WORD} to go on: `);
  if (typed?.trim() === WORD) return;
  throw new LodeError('not_permitted', `That is not ${WORD}: nothing was changed.`);
}

function acceptedOf({ kept, found, wrong }: HeadReport, reason: string | undefined): AcceptedStores {
  const { position, changes } = kept ?? {};
  return {
    ...(position === undefined ? {} : { was: { position, ...(changes === undefined ? {} : { changes }) } }),
    found,
    wrong,
    ...(reason === undefined ? {} : { reason }),
  };
}

/** Writes it down, lets reactors do again what the stores may have forgotten, and keeps the head anew, in this order. */
async function goOn(call: Call, engines: ExclusiveEngines, accepted: AcceptedStores): Promise<string> {
  const stores = await engines.openStoresAsTheyAre();
  try {
    await withAcceptedClock(call, engines, stores, async ({ now: clock, hold }) => {
      const aggregates = createAggregates({ eventStore: stores.events, clock, hold });
      await acceptStores(aggregates, accepted, systemRandom);
    });
    await engines.forgetRemembered();
    await stores.keepHead(true);
    return await stores.events.head();
  } finally {
    await stores.close();
  }
}
