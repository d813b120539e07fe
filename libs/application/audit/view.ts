import type { AuditEvent } from '#contracts';
import type { Json, StreamEvent } from '#kernel';
import type { ReadStoreReader } from '#read-store';
import { accountsOf, actorName } from '../people/names.js';

/** How a text looks that was encrypted with a person's key. */
const ENCRYPTED = /^v\d+\.[\w-]{16}\.[\w-]{22,}$/;

/** Events as auditors read them, with the names of those who acted. What is encrypted in them stays so. */
export async function viewsOf(store: ReadStoreReader, events: readonly StreamEvent[]): Promise<AuditEvent[]> {
  const people = await actorsOf(store, events);
  return events.map((event) => view(event, people));
}

/** As `viewsOf`, of one event. */
export async function viewOf(store: ReadStoreReader, event: StreamEvent): Promise<AuditEvent> {
  return view(event, await actorsOf(store, [event]));
}

function actorsOf(store: ReadStoreReader, events: readonly StreamEvent[]) {
  const ids = events.flatMap(({ meta: { actor } }) => (actor.kind === 'person' ? [actor.id] : []));
  return accountsOf(store, ids);
}

function view(event: StreamEvent, people: Awaited<ReturnType<typeof actorsOf>>): AuditEvent {
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
    personalData: Object.values(data).some(isEncrypted) ? 'sealed' : 'none',
  };
}

function isEncrypted(value: Json | undefined): boolean {
  if (typeof value === 'string') return ENCRYPTED.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(isEncrypted);
}
