import type { AuditEvent } from '#contracts';
import type { Json, StreamEvent } from '#kernel';
import type { ReadStoreReader } from '#read-store';
import type { Columns } from '../http/csv.js';
import { accountsOf, actorName } from '#application';

/** How a text looks that was encrypted with a person's key. */
const SEALED = /^v\d+\.[\w-]{16}\.[\w-]{22,}$/;

/** Events as the API shows them, with the names of those who acted. What is encrypted in them stays so. */
export async function viewsOf(
  store: ReadStoreReader,
  events: readonly StreamEvent[],
): Promise<readonly AuditEvent[]> {
  const people = await accountsOf(
    store,
    events.flatMap(({ meta: { actor } }) => (actor.kind === 'person' ? [actor.id] : [])),
  );
  return events.map((event) => {
    const { at, data, id, meta, position, revision, stream, type, version } = event;
    return {
      id,
      type,
      version,
      stream,
      revision,
      ...(position === undefined ? {} : { position }),
      at,
      data: data as AuditEvent['data'],
      meta,
      actorName: actorName(people.get(meta.actor.id), meta.actor),
      personalData: Object.values(data).some(isSealed) ? 'sealed' : 'none',
    };
  });
}

function isSealed(value: Json | undefined): boolean {
  if (typeof value === 'string') return SEALED.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(isSealed);
}

/** An event as a line of a file: the members of its envelope, and its data as JSON. */
export const eventColumns: Columns<AuditEvent> = [
  ['position', ({ position }) => position],
  ['at', ({ at }) => at],
  ['type', ({ type }) => type],
  ['version', ({ version }) => version],
  ['stream', ({ stream }) => stream],
  ['revision', ({ revision }) => revision],
  ['id', ({ id }) => id],
  ['actorKind', ({ meta }) => meta.actor.kind],
  ['actorId', ({ meta }) => meta.actor.id],
  ['actorRole', ({ meta }) => meta.actor.role],
  ['actorName', ({ actorName }) => actorName],
  ['reason', ({ meta }) => meta.reason],
  ['commandId', ({ meta }) => meta.commandId],
  ['correlationId', ({ meta }) => meta.correlationId],
  ['causationId', ({ meta }) => meta.causationId],
  ['session', ({ meta }) => meta.session],
  ['requestHash', ({ meta }) => meta.requestHash],
  ['chain', ({ meta }) => meta.chain],
  ['personalData', ({ personalData }) => personalData],
  ['data', ({ data }) => JSON.stringify(data)],
];
