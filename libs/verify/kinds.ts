import type { Decider, DomainEvent, StoredFact } from '#kernel';
import {
  accessDecider,
  accountDecider,
  invitationDecider,
  messageDecider,
  productDecider,
  settingsDecider,
  type Account,
  type Amounts,
} from '#ledger';

/** What an account has by its own folding of its events. */
export type Balances = { readonly available: Amounts; readonly held: Amounts };

/** A kind of stream: how its name begins, and the aggregate whose events it holds. */
export type StreamKind = {
  readonly prefix: string;
  readonly initial: unknown;
  /** The state after a stored event. */
  readonly evolve: (state: unknown, stored: StoredFact) => unknown;
  /** The newest version of each event type that this program knows. */
  readonly versions: Readonly<Record<string, number | undefined>>;
  /** What the state says that the person of the stream has; undefined where there is no money. */
  readonly balances: (state: unknown) => Balances | undefined;
};

/** The kind of an aggregate's streams; the types of its events and states may be forgotten here and nowhere else. */
export function kindOf<Command, Event extends DomainEvent, State>(
  prefix: string,
  { initial, evolve, codecs }: Decider<Command, Event, State>,
  balances: (state: State) => Balances | undefined = () => undefined,
): StreamKind {
  const fold = (state: State, stored: StoredFact) => evolve(state, codecs.decode(stored));
  return { prefix, initial, evolve: fold, versions: codecs.versions, balances } as unknown as StreamKind;
}

/** Every kind of stream that the log may hold. A new aggregate adds its line. */
export const ledgerKinds: readonly StreamKind[] = [
  kindOf('account-', accountDecider, (account: Account) => (account.kind === 'none' ? undefined : account)),
  kindOf('access-', accessDecider),
  kindOf('invitation-', invitationDecider),
  kindOf('message-', messageDecider),
  kindOf('product-', productDecider),
  kindOf('settings-', settingsDecider),
];
