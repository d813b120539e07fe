import type { LogReader } from '#engines';
import type { IdentityStore } from '#identity';
import { LodeError, logStart, systemClock } from '#kernel';
import { accountStream } from '#ledger';
import type { Call, Outcome } from './command.js';
import { requireLog, withExclusiveEngines } from './folder.js';
import { counted } from './output.js';
import { requireConsent } from './parse.js';

const PAGE = 5_000;
/** Records of identities read, and keys given up, at a time. */
const BATCH = 500;
const WORD = 'lost';
/** Streams of those that have a key: people, and messages of the contact form. */
const OPENS = { AccountOpened: accountStream(''), MessageSent: 'message-' } as const;

/** `lode give-up-keys`. */
export async function runGiveUpKeys(call: Call): Promise<Outcome> {
  const { settings, options } = call;
  requireConsent(call, 'A key that is given up never comes back', 'give-up-keys');
  await requireLog(settings);
  return withExclusiveEngines(call, async (engines) => {
    const { events, identity, stillHere, close } = await engines.openStores();
    try {
      const missing = await missingIn(events, identity, call);
      if (missing.length > 0 && options['yes'] !== true) await makeSure(call, missing.length);
      let lost = 0;
      for (let at = 0; at < missing.length; at += BATCH)
        lost += await identity.giveUpPersonKeys(missing.slice(at, at + BATCH), systemClock());
      await stillHere();
      const all = await identity.lostPersonKeys();
      return {
        ok: true,
        facts: { givenUp: lost, lost: all },
        lines: [
          lost === 0
            ? 'No key is missing: there was nothing to do.'
            : `${counted(lost, 'key')} given up: what is encrypted with them reads forgotten.`,
          `Given up as lost so far: ${counted(all, 'key')}.`,
        ],
      };
    } finally {
      await close();
    }
  });
}

/** The ids of people and messages of the log that have no key, and had none destroyed. */
async function missingIn(
  events: Pick<LogReader, 'readTypes'>,
  identity: Pick<IdentityStore, 'people'>,
  { progress }: Pick<Call, 'progress'>,
): Promise<readonly string[]> {
  const missing = new Set<string>();
  for (let after = logStart; ;) {
    const page = await events.readTypes(Object.keys(OPENS), after, PAGE);
    for (const { type, stream } of page.events)
      missing.add(stream.slice((type === 'AccountOpened' ? OPENS.AccountOpened : OPENS.MessageSent).length));
    progress('Looking for people in the log', missing.size);
    if (page.scanned === after) break;
    after = page.scanned;
  }
  for (let after = ''; ;) {
    const page = await identity.people(after, BATCH);
    for (const { userId, key } of page) if (key !== undefined) missing.delete(userId);
    const last = page.at(-1);
    if (last === undefined || page.length < BATCH) return [...missing];
    after = last.userId;
  }
}

/** Refuses with `not_permitted` when whoever typed the command doesn't say that they are lost. */
async function makeSure({ ask }: Call, number: number): Promise<void> {
  const typed = await ask?.(
    `${counted(number, 'key')} of people or messages can't be found. Given up, their names and texts read forgotten for ever.\nType ${WORD} to give them up: `,
  );
  if (typed?.trim() === WORD) return;
  throw new LodeError('not_permitted', `That is not ${WORD}: nothing was changed.`);
}
