import type { TickResults } from '#contracts';
import { invariant, partsOf, type StreamEvent } from '#kernel';
import { accountDecider, formatMoney } from '#ledger';
import type { Log } from '../audit/find.js';
import { searchEvents } from '../audit/search.js';
import { tickRunId } from '../bonus/accrue.js';
import { accountsOf, nameOf } from '../people/names.js';
import { Query } from '../message.js';

/** A page of what a run of the bonus tick paid, an account each, in the order of the log: read from its events. */
export class ListTickResults extends Query<TickResults> {
  constructor(
    /** The moment that the run is for. */
    readonly slot: string,
    readonly page: { readonly cursor?: string | undefined; readonly limit: number },
  ) {
    super();
  }
}

export class ListTickResultsHandler {
  constructor(private readonly log: Log) {}

  async execute({ slot, page }: ListTickResults): Promise<TickResults> {
    const correlationId = tickRunId(new Date(slot).toISOString());
    const found = await searchEvents(this.log, {
      ...page,
      correlationId,
      type: 'BonusAccrued',
      order: 'oldest',
    });
    const people = await accountsOf(this.log.readStore, found.items.map(personOf));
    const items = found.items.map((event) => paidBy(event, nameOf(people.get(personOf(event)))));
    return { ...found, items };
  }
}

function personOf({ stream }: StreamEvent): string {
  return partsOf(stream).subject;
}

function paidBy(event: StreamEvent, name: string): TickResults['items'][number] {
  const decoded = accountDecider.codecs.decode(event);
  const { position } = event;
  invariant(decoded.type === 'BonusAccrued' && position !== undefined, 'an event that was searched for');
  const { amount, bonusDays, converted, currency, days } = decoded.data;
  return {
    userId: personOf(event),
    name,
    eventId: event.id,
    position,
    at: event.at,
    days,
    bonusDays,
    amount: formatMoney(amount, 'USD'),
    currency,
    converted: formatMoney(converted, currency),
  };
}
