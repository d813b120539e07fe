import type { SettingsHistory } from '#contracts';
import { settingsStream } from '#ledger';
import type { Ledger } from '../commands/ledger.js';
import type { Engines } from '../engines.js';
import { accountsOf, nameOf } from '../wallet/people.js';

/** Changes of the settings before a revision, newest first, from the log itself. */
export async function settingsHistory(
  ledger: Pick<Ledger, 'settings'>,
  { eventStore, readStore }: Pick<Engines, 'eventStore' | 'readStore'>,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<SettingsHistory> {
  const { revision } = await ledger.settings.load(settingsStream);
  const newest = Math.min(before ?? revision + 1, revision + 1) - 1;
  if (newest < 0) return { items: [], before: null };
  const events = await eventStore.readStream(settingsStream, { from: newest, direction: 'backwards', limit });
  const people = await accountsOf(
    readStore,
    events.map(({ meta }) => meta.actor.id),
  );
  const last = events.at(-1);
  return {
    items: events.map(({ id, type, revision: at, at: instant, meta: { actor, reason }, data }) => ({
      eventId: id,
      type,
      revision: at,
      at: instant,
      actor: { id: actor.id, role: actor.role, name: nameOf(people.get(actor.id), actor.role) },
      ...(reason === undefined ? {} : { reason }),
      data,
    })),
    before: last === undefined || last.revision === 0 ? null : last.revision,
  };
}
