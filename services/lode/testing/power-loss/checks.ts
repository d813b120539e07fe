import { expect } from '@jest/globals';
import { createHash } from 'node:crypto';
import { routes } from '#contracts';
import { commandIdOf, type RecordedEvent } from '#kernel';
import { accountStream } from '#ledger';
import type { Client } from '../client.js';
import { apiOf, newPerson, PASSWORD, type Person } from '../people.js';
import type { Guest, OtherCommand, Others } from './others.js';

/** A command that was done, with the event that its answer names and all events that it has made. */
type DoneCommand = {
  readonly command: OtherCommand;
  readonly event: RecordedEvent;
  readonly made: readonly RecordedEvent[];
};

function doneIn({ commands }: Others, events: readonly RecordedEvent[]): readonly DoneCommand[] {
  const byPosition = new Map(events.map((event) => [String(event.position), event]));
  const byCommand = Map.groupBy(events, ({ meta }) => meta.commandId);
  return commands.flatMap((command) => {
    const { route, person, ask, answer } = command;
    if (answer === undefined || answer.status >= 300) return [];
    const { position } = JSON.parse(answer.text) as { readonly position: string };
    const event = byPosition.get(position);
    if (event === undefined) throw new Error(`${route} was answered, and position ${position} is not there`);
    const key = ask.headers?.['Idempotency-Key'] ?? '';
    const made = byCommand.get(commandIdOf(person.userId, event.stream, key)) ?? [];
    return [{ command, event, made }];
  });
}

/** Checks that whatever was answered is in the log once, and what was not is there once at most. */
export function checkCommands(others: Others, events: readonly RecordedEvent[]): void {
  for (const { event, made } of doneIn(others, events)) {
    // One that changed nothing names what was so already; what one made stands together, up to where it says.
    const from = event.revision - made.length + 1;
    expect(made.map(({ stream, revision }) => [stream, revision])).toEqual(
      made.map((_, n) => [event.stream, from + n]),
    );
  }
  const byCommand = Map.groupBy(events, ({ meta }) => meta.commandId);
  for (const { commandId, userId, isApplied } of others.items) {
    const made = byCommand.get(commandId) ?? [];
    expect(made.map(({ stream }) => stream)).toEqual(made.map(() => accountStream(userId)));
    if (isApplied === undefined) expect(made.length).toBeLessThan(2);
    else expect(made.length).toBe(isApplied ? 1 : 0);
  }
}

/** No command, but done once by its key: its events have ids of their own. */
const isRepeatable = ({ route }: OtherCommand) => 'repeatable' in routes[route];

/** Sends the last commands that changed something once more under their keys: each is answered as the first time. */
export async function checkSame(
  others: Others,
  events: readonly RecordedEvent[],
  visitor: Client,
  count: number,
): Promise<void> {
  // With a message its answers are forgotten.
  const isKept = ({ command: { route } }: DoneCommand) => !route.endsWith('Message');
  const hasChanged = ({ command, made }: DoneCommand) => made.length > 0 || isRepeatable(command);
  const changing = doneIn(others, events).filter((done) => hasChanged(done) && isKept(done));
  for (const { command } of changing.slice(-count)) {
    const first = command.answer;
    expect(await others.send(visitor, command)).toBe(true);
    // A suspension has ended the session that it was sent in: that says nothing of the command.
    if (command.answer?.status === 401) command.answer = first;
    expect([command.route, command.answer]).toEqual([command.route, first]);
  }
}

/** Wrong sign-ins that an address may have without being kept from more. */
const WRONG_MAX = 4;

/** Invitations that are tried, of those that were issued. */
const INVITATIONS = 2;

/** The last invitations that were issued make an admin each, and one only. */
export async function checkInvitations({ commands }: Others, visitor: Client): Promise<void> {
  const issued = commands.filter(({ route, answer }) => route === 'inviteAdmin' && answer?.status === 201);
  for (const { answer } of issued.slice(-INVITATIONS)) {
    const { token: invitation } = JSON.parse(answer?.text ?? '') as { readonly token: string };
    const accept = () => visitor.call('register', { body: { ...newPerson('Ada'), invitation } });
    expect((await accept()).json).toMatchObject({ role: 'admin' });
    expect((await accept()).json).toMatchObject({ code: 'invitation_invalid' });
  }
}

/** Who was let in can sign in, and who was forgotten last can't. */
export async function checkGuests({ guests }: Others, visitor: Client): Promise<void> {
  const statusOf = async ({ email }: Guest) =>
    (await visitor.call('signIn', { body: { email, password: PASSWORD } })).status;
  const here = guests.filter(({ isRegistered, isErasureAsked }) => isRegistered && !isErasureAsked);
  for (const guest of here) expect([guest.email, await statusOf(guest)]).toEqual([guest.email, 200]);
  const gone = guests.filter(({ isErased }) => isErased).slice(-WRONG_MAX);
  for (const guest of gone) expect([guest.email, await statusOf(guest)]).toEqual([guest.email, 401]);
}

/** Every file that was taken is there as it was sent. */
export async function checkFiles(
  { files }: Others,
  visitor: Client,
  owner: Person,
  since: number,
): Promise<void> {
  const api = apiOf(visitor, owner);
  // By a token that is good.
  await api.get('me');
  for (const { fileId, sha256 } of files.slice(since)) {
    const answer = await fetch(`${visitor.address}/api/files/${fileId}`, {
      headers: { Authorization: `Bearer ${api.token}` },
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect([answer.status, createHash('sha256').update(bytes).digest('hex')]).toEqual([200, sha256]);
  }
}
