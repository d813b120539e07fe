import { timeOfPlace } from '#projections';
import { idIndex, type ReadStoreReader } from '#read-store';
import { Query } from '../message.js';

type Documents = Pick<ReadStoreReader, 'keys'>;

/** Whose next day of the bonus is over, a page of them. */
export type AccountsDue = {
  readonly userIds: readonly string[];
  /** Where the next page begins; undefined after the last. */
  readonly next: readonly string[] | undefined;
};

/** The accounts with so many paid days of the bonus whose next one was over at an instant, as the read model knows them. */
export class ListAccountsDue extends Query<AccountsDue> {
  constructor(
    readonly asked: {
      readonly day: number;
      /** An ISO instant. */
      readonly at: string;
      /** `next` of the page before. */
      readonly after: readonly string[] | undefined;
      readonly limit: number;
    },
  ) {
    super();
  }
}

export class ListAccountsDueHandler {
  constructor(private readonly readStore: Documents) {}

  async execute({ asked: { day, at, after, limit } }: ListAccountsDue): Promise<AccountsDue> {
    const page = await this.readStore.keys('accounts', {
      index: 'bonus',
      equals: { status: 'active', bonusDay: String(day) },
      direction: 'ascending',
      ...(after === undefined ? {} : { after }),
      limit,
    });
    // A key is when the next day is over, and whose it is.
    const due = page.filter(([nextDay = '']) => nextDay <= at);
    return {
      userIds: due.map(([, userId = '']) => userId),
      next: due.length < limit ? undefined : due.at(-1),
    };
  }
}

/**
 * The earliest instant that a run of the bonus may be as of, ISO: that of the newest event that the read models know.
 * Undefined while the log is empty.
 */
export class GetEarliestTick extends Query<string | undefined> {}

export class GetEarliestTickHandler {
  constructor(private readonly readStore: Documents) {}

  async execute(): Promise<string | undefined> {
    const newest = { index: idIndex, equals: {}, direction: 'descending', limit: 1 } as const;
    const [[place] = []] = await this.readStore.keys('events', newest);
    return place === undefined ? undefined : timeOfPlace(place);
  }
}
