import { callerContext, NoteGiven, ownerOfStream, visitorContext, type Bus } from '#application';
import { auditQuery, type RouteName } from '#contracts';
import { comparePositions, type Position } from '#kernel';
import { clientOf } from './client.js';
import type { LodeRequest } from './route.js';

/** The way to what is noted. */
export type Sender = Pick<Bus, 'execute'>;

/**
 * Notes that whoever asks is about to be given a list as a file; as an admin, one `about` a person. Gives where the last
 * of the notes is in the log.
 */
export async function noteFile(
  bus: Sender,
  request: LodeRequest,
  route: RouteName,
  people: readonly string[],
): Promise<Position> {
  const objects = people.length === 0 ? [{}] : people.map((about) => ({ about }));
  const notes = objects.map((one) => note(bus, request, { type: 'ListExported', route, ...one }));
  return (await Promise.all(notes)).reduce((last, one) => (comparePositions(one, last) > 0 ? one : last));
}

/** Notes that an admin is about to be shown what is other people's: nothing of it is given when that rejects. */
export async function noteShown(bus: Sender, request: LodeRequest, people: Iterable<string>): Promise<void> {
  await Promise.all(
    others(request, people).map((about) => note(bus, request, { type: 'PersonRead', about })),
  );
}

/** The people whom an admin asks for by the address: in its path, or in what is asked of the log. */
export function othersNamed(request: LodeRequest): readonly string[] {
  if (request.caller?.role !== 'admin') return [];
  const { userId, stream } = request.params as { userId?: string; stream?: string };
  const query = request.query as Readonly<Record<string, unknown>>;
  const streams = [stream, auditQuery.shape.stream.safeParse(query['stream']).data];
  const owners = streams.map((name) => (name === undefined ? undefined : ownerOfStream(name)));
  // What is malformed is refused later, and names nobody.
  const named = [userId, auditQuery.shape.person.safeParse(query['person']).data, ...owners];
  return others(
    request,
    named.filter((id) => id !== undefined),
  );
}

/** What an admin is shown of their own concerns nobody else, and whoever is no admin is shown nothing else. */
function others({ caller }: LodeRequest, people: Iterable<string>): readonly string[] {
  if (caller?.role !== 'admin') return [];
  return [...new Set(people)].filter((id) => id !== caller.userId);
}

function note(bus: Sender, request: LodeRequest, what: NoteGiven['what']): Promise<Position> {
  const { caller } = request;
  const client = clientOf(request);
  const asker = caller === undefined ? visitorContext(client) : callerContext(caller, client);
  return bus.execute(new NoteGiven(asker, what));
}
