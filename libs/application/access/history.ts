import type { SecurityEvents } from '#contracts';
import type { EventStore } from '#event-store';
import type { StreamEvent } from '#kernel';
import { accessStream } from '#ledger';
import { clientIn, type ClientKeys } from './client.js';
import { readSlice, type SliceAsked } from '../audit/stream.js';
import { Query } from '../message.js';

/** What happened to a person's access, a page at a time. */
export class ListSecurityEvents extends Query<SecurityEvents> {
  constructor(
    readonly userId: string,
    readonly asked: SliceAsked,
  ) {
    super();
  }
}

type SecurityEvent = SecurityEvents['events'][number];
type HistoryDependencies = {
  readonly eventStore: EventStore;
  readonly identity: { readonly personKeys: ClientKeys };
};

/** What an event is called by its type, or by its type and more of it; of other types nothing is shown. */
const descriptions = new Map([
  ['SignedIn', 'Signed in'],
  ['SignedIn/new', 'Signed in from a new network'],
  ['SignInRefused', 'Sign-in refused'],
  ['SignInRefused/password', 'Wrong password'],
  ['SignInRefused/suspended', 'Sign-in refused: the account is suspended'],
  ['SignInRefused/second factor', 'Wrong code of the second factor'],
  ['SignInRefused/passkey', 'A passkey was refused'],
  ['SessionEnded', 'Signed out'],
  ['SessionEnded/ended', 'A device was signed out'],
  ['SessionEnded/reuse', 'A session was ended: a used token came back'],
  ['SessionsEnded', 'All devices were signed out'],
  ['SessionsEnded/password', 'Devices were signed out with the new password'],
  ['PasswordChanged', 'Password changed'],
  ['PasswordReset', 'Password set anew by a link'],
  ['SecondFactorChanged', 'Second factor changed'],
  ['SecondFactorChanged/set up', 'Second factor set up'],
  ['SecondFactorChanged/removed', 'Second factor removed'],
  ['SecondFactorChanged/passkey added', 'Passkey added'],
  ['SecondFactorChanged/passkey removed', 'Passkey removed'],
  ['SecondFactorChanged/recovery code used', 'Recovery code used'],
  ['SecondFactorChanged/new recovery codes', 'New recovery codes'],
  ['SessionsEnded/email', 'Other devices were signed out with the new e-mail address'],
  ['EmailChangeAsked', 'Another e-mail address asked for'],
  ['EmailChangeConfirmed', 'New e-mail address confirmed by its link'],
  ['EmailChanged', 'E-mail address changed'],
  ['EmailChangeFailed', 'E-mail address not changed'],
  ['EmailChangeFailed/canceled', 'Change of the e-mail address canceled'],
  ['EmailChangeFailed/taken', 'E-mail address not changed: another account has it'],
  ['TransferPinSet', 'Transfer pin set'],
  ['TransferPinRefused', 'Wrong transfer pin'],
]);

function descriptionOf({ type, data }: StreamEvent): string | undefined {
  const why = data['why'] ?? data['change'] ?? data['network'];
  return (typeof why === 'string' ? descriptions.get(`${type}/${why}`) : undefined) ?? descriptions.get(type);
}

/** Who did it, as seen by the person whose stream it is. */
function doerOf({ meta: { actor } }: StreamEvent, userId: string): SecurityEvent['by'] {
  if (actor.id === userId) return 'owner';
  if (actor.kind === 'operator' || actor.role === 'admin') return 'admin';
  return actor.role === 'visitor' ? 'visitor' : 'system';
}

export class ListSecurityEventsHandler {
  constructor(private readonly dependencies: HistoryDependencies) {}

  async execute({ userId, asked }: ListSecurityEvents): Promise<SecurityEvents> {
    const { eventStore } = this.dependencies;
    const slice = await readSlice(eventStore, accessStream(userId), asked);
    const events = await Promise.all(slice.events.map((event) => this.shown(userId, event)));
    return {
      events: events.filter((event) => event !== undefined),
      next: slice.next,
      previous: slice.previous,
    };
  }

  private async shown(userId: string, event: StreamEvent): Promise<SecurityEvent | undefined> {
    const description = descriptionOf(event);
    if (description === undefined) return undefined;
    const { at, data, id, type } = event;
    const by = doerOf(event, userId);
    return {
      eventId: id,
      type,
      description,
      at,
      by,
      // Where an admin sat is nothing to the person.
      ...(by === 'admin'
        ? {}
        : await clientIn(this.dependencies.identity.personKeys, userId, data['client'])),
    };
  }
}
