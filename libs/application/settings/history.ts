import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { SettingsHistory } from '#contracts';
import { settingsStream } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import { accountsOf, nameOf } from '../people/names.js';
import type { Ports } from '../ports.js';

/** Changes of the settings before a revision, newest first. */
export class GetSettingsHistory extends Query<SettingsHistory> {
  constructor(readonly asked: { readonly before?: number | undefined; readonly limit: number }) {
    super();
  }
}

type Parts = Pick<Ports, 'eventStore' | 'readStore'> & { readonly aggregates: Pick<Aggregates, 'settings'> };

@QueryHandler(GetSettingsHistory)
export class GetSettingsHistoryHandler implements IQueryHandler<GetSettingsHistory> {
  constructor(private readonly parts: Parts) {}

  execute({ asked }: GetSettingsHistory): Promise<SettingsHistory> {
    return settingsHistory(this.parts, asked);
  }
}

/** From the log itself: the read model keeps the last change of each part only. */
async function settingsHistory(
  { aggregates, eventStore, readStore }: Parts,
  { before, limit }: GetSettingsHistory['asked'],
): Promise<SettingsHistory> {
  const { revision } = await aggregates.settings.load(settingsStream);
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
