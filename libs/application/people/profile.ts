import type { CommandContext } from '#commands';
import type { EventStore } from '#event-store';
import { fileNotFound } from '#files';
import { FORGOTTEN, type PersonalData, type PersonKeys } from '#identity';
import { comparePositions, isLodeError, parsePosition, type Position } from '#kernel';
import { accountStream, type AccountCommand } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import { sentBy, type Receipt } from '../command.js';
import type { PersonalContext } from '../context.js';
import { ownFileFor, type Files } from '../files/named.js';
import { commandOrRefusal } from '../command-or-refusal.js';
import { openAccount } from './open-account.js';

/** How often a change of a profile is made anew because somebody else's came first. */
const PROFILE_TRIES = 5;

export type ProfileParts = {
  readonly aggregates: Pick<Aggregates, 'accounts'>;
  readonly identity: { readonly personKeys: PersonKeys };
};
type Parts = ProfileParts;

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

export class ChangeProfileHandler {
  constructor(private readonly parts: Parts) {}

  execute({ context, userId, change }: ChangeProfile): Promise<Receipt> {
    return changeProfile(this.parts, context, userId, () => change);
  }
}

/**
 * Marks a person's notifications as read up to a position, which is kept in the profile; up to an earlier one they stay as
 * they are, and one beyond the log's end is that end. Refuses as the account does.
 */
export class ReadNotifications extends sentBy('user', 'admin')<Receipt> {
  constructor(
    override readonly context: PersonalContext,
    readonly userId: string,
    readonly upTo: Position,
  ) {
    super();
  }
}

export class ReadNotificationsHandler {
  constructor(private readonly parts: Parts & { readonly eventStore: Pick<EventStore, 'head'> }) {}

  async execute({ context, userId, upTo }: ReadNotifications): Promise<Receipt> {
    // Beyond the log's end it would hide what is still to come, and nobody could take it back.
    const head = await this.parts.eventStore.head();
    const read = comparePositions(upTo, head) > 0 ? head : upTo;
    const markOf: ChangeOf = ({ notificationsRead }) => {
      const known = typeof notificationsRead === 'string' ? parsePosition(notificationsRead) : undefined;
      return known !== undefined && comparePositions(read, known) <= 0 ? {} : { notificationsRead: read };
    };
    return changeProfile(this.parts, context, userId, markOf, { isMark: true });
  }
}

/** What a profile is to have, by what it has. */
type ChangeOf = (current: PersonalData) => ChangeProfile['change'];

async function changeProfile(
  parts: Parts,
  context: PersonalContext,
  userId: string,
  changeOf: ChangeOf,
  kind: { readonly isMark?: true } = {},
): Promise<Receipt> {
  return writeProfile(parts, await digested(context, parts, userId), userId, changeOf, kind);
}

/** Changes a person's profile, made anew where somebody else's change comes first. Refuses as the account does. */
export async function writeProfile(
  parts: Parts,
  commandContext: CommandContext,
  userId: string,
  changeOf: ChangeOf,
  kind: { readonly isMark?: true } = {},
): Promise<Receipt> {
  for (let tries = 1; ; tries += 1) {
    try {
      const command = {
        type: 'ChangeProfile',
        ...kind,
        ...(await profileWith(parts, userId, changeOf)),
      } as const;
      return await parts.aggregates.accounts.execute(accountStream(userId), command, commandContext);
    } catch (error) {
      if (!isLodeError(error) || error.code !== 'conflict' || tries === PROFILE_TRIES) throw error;
    }
  }
}

/** The profile as it is to be and as it was, encrypted: the same text when nothing in it changes. */
async function profileWith(
  { aggregates, identity: { personKeys } }: Parts,
  userId: string,
  changeOf: ChangeOf,
) {
  const { profile: was } = await openAccount(aggregates, userId);
  const current = await personKeys.decryptFor(userId, was);
  if (current === FORGOTTEN) return { was, profile: was };
  const given = Object.entries(changeOf(current)).filter(([, text]) => text !== undefined && text !== '');
  if (given.every(([field, text]) => current[field] === text)) return { was, profile: was };
  return { was, profile: await personKeys.encryptFor(userId, { ...current, ...Object.fromEntries(given) }) };
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

export class ChangeProfileImageHandler {
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

/** The context with the digest under the person's key; under nobody's once the person is erased: the account then refuses. */
export function digested(
  context: PersonalContext,
  { identity }: Pick<Parts, 'identity'>,
  userId: string,
): Promise<CommandContext> {
  return context.digested(async (text) => {
    const digest = await commandOrRefusal(() => identity.personKeys.digestFor(userId, text));
    return isLodeError(digest) ? '' : digest;
  });
}
