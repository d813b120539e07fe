import type { Decider, DomainEvent } from '#kernel';
import { accessDecider, accessStream } from './access/index.js';
import { accountDecider, accountStream } from './account/index.js';
import { adminsDecider, adminsStream } from './admins/index.js';
import { changeDecider, changeStream } from './change/index.js';
import { invitationDecider, invitationStream } from './invitation/index.js';
import { messageDecider, messageStream } from './message/index.js';
import { operationsDecider } from './operations/index.js';
import { notesDecider, notesStream } from './notes/index.js';
import { allowanceDecider, allowanceStream } from './allowance/index.js';
import type { Amounts } from './postings.js';
import { platformDecider, platformStream } from './platform/index.js';
import { productDecider, productStream } from './product/index.js';
import { securityDecider } from './security/index.js';
import { settingsDecider } from './settings/index.js';

/** What a person has by the aggregate's own folding of its events. */
export type Balances = { readonly available: Amounts; readonly held: Amounts };

/** A kind of streams and what decides on them. */
export type Aggregate<Command, Event extends DomainEvent, State> = {
  /** How the names of its streams begin. */
  readonly prefix: string;
  readonly decider: Decider<Command, Event, State>;
  /** What the state says that the person of the stream has; left out where there is no money. */
  readonly balances?: (state: State) => Balances | undefined;
};

function aggregate<Command, Event extends DomainEvent, State>(
  definition: Aggregate<Command, Event, State>,
): Aggregate<Command, Event, State> {
  return definition;
}

/** Every aggregate by its name. Whoever goes through all of them, or needs one of each, goes by this table. */
export const aggregates = {
  access: aggregate({ prefix: accessStream(''), decider: accessDecider }),
  accounts: aggregate({
    prefix: accountStream(''),
    decider: accountDecider,
    balances: (account) => (account.kind === 'none' ? undefined : account),
  }),
  admins: aggregate({ prefix: adminsStream, decider: adminsDecider }),
  allowances: aggregate({ prefix: allowanceStream(''), decider: allowanceDecider }),
  changes: aggregate({ prefix: changeStream(''), decider: changeDecider }),
  invitations: aggregate({ prefix: invitationStream(''), decider: invitationDecider }),
  messages: aggregate({ prefix: messageStream(''), decider: messageDecider }),
  operations: aggregate({ prefix: 'operations-', decider: operationsDecider }),
  notes: aggregate({ prefix: notesStream(''), decider: notesDecider }),
  platform: aggregate({ prefix: platformStream, decider: platformDecider }),
  products: aggregate({ prefix: productStream(''), decider: productDecider }),
  security: aggregate({ prefix: 'security-', decider: securityDecider }),
  settings: aggregate({ prefix: 'settings-', decider: settingsDecider }),
} as const;

export type AggregateName = keyof typeof aggregates;

/** Any event of any aggregate. No two aggregates have a type in common. */
export type LedgerEvent = ReturnType<(typeof aggregates)[AggregateName]['decider']['decide']>[number];
