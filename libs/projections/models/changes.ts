import { changeStream, type PlatformChange } from '#ledger';
import type { Document } from '#read-store';
import { ignore, readModel, type Handler } from '../read-model.js';
import type { EventsOf } from './streams.js';

/** What an admin asked for that takes a second one, while it waits. It names people by id only. */
export type ChangeDocument = Document &
  PlatformChange & {
    /** The admin who asked for it. */
    readonly by: string;
    readonly reason?: string;
    readonly since: string;
    readonly until: string;
  };

/** What is decided waits no more. */
const decided: Handler<
  Extract<EventsOf<'change'>, { readonly type: 'ChangeApproved' | 'ChangeRejected' }>,
  ChangeDocument
> = ({ data }) => [{ id: data.changeId, change: () => undefined }];

/** One document a change that waits for a second admin. */
export const changes = readModel<EventsOf<'change'>, ChangeDocument>({
  name: 'changes',
  version: 1,
  indexes: [{ name: 'all', equals: [], order: ['until'] }],
  on: {
    ChangeAsked: ({ at: since, data, meta, position }) => {
      const { changeId: id, by, until, ...change } = data;
      const reason = meta.reason === undefined ? {} : { reason: meta.reason };
      return [{ id, change: () => ({ ...change, ...reason, by, id, position, since, until }) }];
    },
    ChangeApproved: decided,
    ChangeMade: ignore,
    ChangeRejected: decided,
    ChangeRefused: ignore,
  },
  ownerOf: () => null,
  streamOf: changeStream,
});
