import type { AuditEvent, TrialPostings } from '#contracts';
import type { Columns } from '../http/csv.js';

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
  ['settings', ({ meta }) => meta.settings],
];

/** Of a list that is no table. */
export const noColumns: Columns<unknown> = [];

/** What an event added to a cell of the trial balance, as a line of a file. */
export const postingColumns: Columns<TrialPostings['items'][number]> = [
  ['position', ({ event }) => event.position],
  ['at', ({ event }) => event.at],
  ['type', ({ event }) => event.type],
  ['stream', ({ event }) => event.stream],
  ['revision', ({ event }) => event.revision],
  ['id', ({ event }) => event.id],
  ['actorName', ({ event }) => event.actorName],
  ['amount', ({ amount }) => amount],
];
