import type { EventStore } from '#event-store';
import {
  refusedPasswords,
  type Identity,
  type Known,
  type PasswordPolicy,
  type SessionView,
} from '#identity';
import { accountStream } from '#ledger';
import { accountOf } from './admission.js';
import type { AccessDependencies } from './dependencies.js';
import { Query } from '../message.js';

/** The policy, and what is refused whatever it is. */
export type ToldPasswordPolicy = PasswordPolicy & { readonly refuses: typeof refusedPasswords };

/** Which passwords may be chosen. */
export class GetPasswordPolicy extends Query<ToldPasswordPolicy> {}

export class GetPasswordPolicyHandler {
  constructor(private readonly identity: Pick<Identity, 'passwordPolicy'>) {}

  async execute(): Promise<ToldPasswordPolicy> {
    return { ...this.identity.passwordPolicy, refuses: refusedPasswords };
  }
}

/** A person's live sessions, the one used last first. */
export class ListSessions extends Query<readonly SessionView[]> {
  constructor(readonly userId: string) {
    super();
  }
}

export class ListSessionsHandler {
  constructor(private readonly identity: Pick<Identity, 'sessions'>) {}

  execute({ userId }: ListSessions): Promise<readonly SessionView[]> {
    return this.identity.sessions.list(userId);
  }
}

/** Whether a person has a transfer pin, and may use it. */
export class GetTransferPinState extends Query<'missing' | 'set' | 'locked'> {
  constructor(readonly userId: string) {
    super();
  }
}

export class GetTransferPinStateHandler {
  constructor(private readonly identity: Pick<Identity, 'transferPins'>) {}

  execute({ userId }: GetTransferPinState): Promise<'missing' | 'set' | 'locked'> {
    return this.identity.transferPins.stateOf(userId);
  }
}

/** What identity knows of a person; undefined of one who is not registered, or was erased. */
export class GetCredential extends Query<Known | undefined> {
  constructor(readonly userId: string) {
    super();
  }
}

export class GetCredentialHandler {
  constructor(private readonly identity: Pick<Identity, 'credentials'>) {}

  execute({ userId }: GetCredential): Promise<Known | undefined> {
    return this.identity.credentials.known(userId);
  }
}

/** What the log says of somebody who has a credential. */
export type AccountInfo = {
  /** First and last name, as far as they are known. */
  readonly name: string;
  readonly isEmailVerified: boolean;
  /** An ISO instant. */
  readonly openedAt: string;
};

/** What the log says of somebody who has a credential. Refuses with `account_not_found`. */
export class GetAccountInfo extends Query<AccountInfo> {
  constructor(readonly userId: string) {
    super();
  }
}

type AccountInfoDependencies = Pick<AccessDependencies, 'aggregates' | 'identity'> & {
  readonly eventStore: EventStore;
};

export class GetAccountInfoHandler {
  constructor(private readonly dependencies: AccountInfoDependencies) {}

  async execute({ userId }: GetAccountInfo): Promise<AccountInfo> {
    const { identity, eventStore } = this.dependencies;
    const account = await accountOf(this.dependencies, userId);
    const profile = await identity.personKeys.decryptFor(userId, account.profile);
    const names = typeof profile === 'string' ? [] : [profile['firstname'], profile['lastname']];
    const [opened] = await eventStore.readStream(accountStream(userId), { limit: 1 });
    return {
      name: names.filter((name): name is string => typeof name === 'string' && name !== '').join(' '),
      isEmailVerified: account.isEmailVerified,
      openedAt: opened?.at ?? '',
    };
  }
}
