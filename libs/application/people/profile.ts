import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '#commands';
import { fileNotFound } from '#files';
import { FORGOTTEN, type PersonKeys } from '#identity';
import { isLodeError } from '#kernel';
import { accountStream, type AccountCommand } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import { sentBy, type Receipt } from '../command.js';
import type { PersonalContext } from '../context.js';
import { ownFileFor, type Files } from '../files/named.js';
import { commandOrRefusal } from '../command-or-refusal.js';
import { openAccount } from './open-account.js';

/** How often a change of a profile is made anew because somebody else's came first. */
const PROFILE_TRIES = 5;

type Parts = {
  readonly aggregates: Pick<Aggregates, 'accounts'>;
  readonly identity: { readonly personKeys: PersonKeys };
};

/** Changes what is given of a person's profile; an empty text stays as it is. Refuses as the account does. */
export class ChangeProfile extends sentBy('user', 'admin')<Receipt> {
  constructor(
    override readonly context: PersonalContext,
    readonly userId: string,
    readonly change: Readonly<Record<string, string | undefined>>,
  ) {
    super();
  }
}

@CommandHandler(ChangeProfile)
export class ChangeProfileHandler implements ICommandHandler<ChangeProfile> {
  constructor(private readonly parts: Parts) {}

  async execute({ context, userId, change }: ChangeProfile): Promise<Receipt> {
    const { aggregates } = this.parts;
    const commandContext = await digested(context, this.parts, userId);
    for (let tries = 1; ; tries += 1) {
      try {
        const command = { type: 'ChangeProfile', ...(await this.profileWith(userId, change)) } as const;
        return await aggregates.accounts.execute(accountStream(userId), command, commandContext);
      } catch (error) {
        if (!isLodeError(error) || error.code !== 'conflict' || tries === PROFILE_TRIES) throw error;
      }
    }
  }

  /** The profile as it is to be and as it was, encrypted: the same text when nothing in it changes. */
  private async profileWith(userId: string, change: ChangeProfile['change']) {
    const { personKeys } = this.parts.identity;
    const { profile: was } = await openAccount(this.parts.aggregates, userId);
    const current = await personKeys.decryptFor(userId, was);
    if (current === FORGOTTEN) return { was, profile: was };
    const given = Object.entries(change).filter(([, text]) => text !== undefined && text !== '');
    if (given.every(([field, text]) => current[field] === text)) return { was, profile: was };
    return {
      was,
      profile: await personKeys.encryptFor(userId, { ...current, ...Object.fromEntries(given) }),
    };
  }
}

/** Shows another picture of a person. Refuses with `file_not_found` one that is not that person's. */
export class ChangeProfileImage extends sentBy('user', 'admin')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly userId: string,
    readonly fileId: string,
  ) {
    super();
  }
}

@CommandHandler(ChangeProfileImage)
export class ChangeProfileImageHandler implements ICommandHandler<ChangeProfileImage> {
  constructor(private readonly parts: Files & Pick<Parts, 'aggregates'>) {}

  async execute({ context, userId, fileId }: ChangeProfileImage): Promise<Receipt> {
    const { aggregates } = this.parts;
    const command = await commandOrRefusal(() => this.commandOf(userId, fileId));
    return aggregates.accounts.execute(accountStream(userId), command, context);
  }

  private async commandOf(userId: string, fileId: string): Promise<AccountCommand> {
    const { image: current } = await openAccount(this.parts.aggregates, userId);
    const isCurrent = current !== null && current.fileId === fileId;
    const image = isCurrent ? current : await ownFileFor(this.parts, fileId, userId, 'profile-image');
    if (image === undefined) throw fileNotFound();
    return { type: 'ChangeProfileImage', image };
  }
}

/** Keeps the address that a person's withdrawals go to. Refuses as the account does. */
export class SaveWalletAddress extends sentBy('user', 'admin')<Receipt> {
  constructor(
    override readonly context: PersonalContext,
    readonly userId: string,
    readonly walletAddress: string,
  ) {
    super();
  }
}

@CommandHandler(SaveWalletAddress)
export class SaveWalletAddressHandler implements ICommandHandler<SaveWalletAddress> {
  constructor(private readonly parts: Parts) {}

  async execute({ context, userId, walletAddress }: SaveWalletAddress): Promise<Receipt> {
    const address = await this.addressOf(userId, walletAddress);
    const command = { type: 'SaveWalletAddress', address } as const;
    const commandContext = await digested(context, this.parts, userId);
    return this.parts.aggregates.accounts.execute(accountStream(userId), command, commandContext);
  }

  /** The address, encrypted: the text that the account has when it is the one that is saved. */
  private async addressOf(userId: string, walletAddress: string): Promise<string> {
    const { personKeys } = this.parts.identity;
    const { address } = await openAccount(this.parts.aggregates, userId);
    const current = address === null ? FORGOTTEN : await personKeys.decryptFor(userId, address);
    if (address !== null && current !== FORGOTTEN && current['walletAddress'] === walletAddress)
      return address;
    return personKeys.encryptFor(userId, { walletAddress });
  }
}

/** The context with the digest under the person's key; under nobody's once the person is erased: the account then refuses. */
function digested(context: PersonalContext, { identity }: Parts, userId: string): Promise<CommandContext> {
  return context.digested(async (text) => {
    const digest = await commandOrRefusal(() => identity.personKeys.digestFor(userId, text));
    return isLodeError(digest) ? '' : digest;
  });
}
