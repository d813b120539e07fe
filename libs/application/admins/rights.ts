import type { CommandContext } from '#commands';
import { mayDo, type AdminAct } from '#contracts';
import type { Identity } from '#identity';
import {
  isEngineError,
  isLodeError,
  isOutage,
  type LodeError,
  repeatEvery,
  sha256,
  type Timers,
  uuidV5,
} from '#kernel';
import {
  accountStream,
  adminsStream,
  isListed,
  type Account,
  type Admin,
  type Admins,
  type AdminsCommand,
  type AdminStanding,
  type Duty,
} from '#ledger';
import type { Aggregates } from '../aggregates.js';
import type { Receipt } from '../command.js';

/** The namespace of the ids of commands to the list of admins. */
const ADMINS = '5a1d7f0e-3c64-5b0b-9d3e-0e7c2f4b8a17';
/** How often the list is read where other programs write it too, in milliseconds. */
const SHARED_READ_MS = 500;

/** Who may act as an admin: what the stream `admins` says, and what is decided there before anything follows from it. */
export type AdminRights = {
  /**
   * Whether this person may act as an admin: at once when this program knows that they may. One whom the list has not got
   * yet may when their account says so.
   */
  readonly mayAct: (userId: string) => boolean | Promise<boolean>;
  /** Where other programs write the list too, has what this program knows be as of the end of the log. Refuses with what the log fails with. */
  readonly latest: () => Promise<void>;
  /** How a person stands by the end of the log; undefined of one who is not listed. */
  readonly standingOf: (userId: string) => Promise<AdminStanding | undefined>;
  /** What an admin is there for, as far as this program knows; one whom the list has not got yet is an owner. */
  readonly dutyOf: (userId: string) => Duty;
  /** Everybody who is an admin, with their duty, by the end of the log. */
  readonly all: () => Promise<Admins>;
  /**
   * Gives an admin another duty. Refuses with `not_permitted` whoever is no owner, and what would leave none; with `account_not_found`;
   * and with what is given in the place of a duty, unless the command was carried out before.
   */
  readonly changeDuty: (userId: string, duty: Duty | LodeError, context: CommandContext) => Promise<Receipt>;
  /** Everybody who may do this, by the end of the log. */
  readonly able: (act: AdminAct) => Promise<ReadonlySet<string>>;
  /** Everybody who may decide on money, by the end of the log. */
  readonly deciders: () => Promise<ReadonlySet<string>>;
  /** Keeps what somebody who registers will be there for as an admin. May be repeated; of an owner nothing is kept. */
  readonly expect: (userId: string, duty: Duty) => Promise<void>;
  /** Lists an admin whose account was opened. May be repeated. */
  readonly admit: (userId: string) => Promise<void>;
  /**
   * Lists everybody who is an admin and is not listed yet: those from before there was a list, and registrations cut off. Not
   * those whose account is damaged in the log, who can't come in.
   */
  readonly admitAll: () => Promise<void>;
  /** Keeps an admin out, or lets one in again. Refuses with `not_permitted`. */
  readonly suspend: (userId: string, context: CommandContext) => Promise<Receipt>;
  readonly activate: (userId: string, context: CommandContext) => Promise<Receipt>;
  /** Takes an admin who is to be forgotten off the list, for ever. Refuses with `not_permitted` the last one. */
  readonly remove: (userId: string, context: CommandContext) => Promise<Receipt>;
  /** As `remove`, for an owner: refuses with `not_permitted` whoever is none, and with `account_active` an admin who may come in. */
  readonly removeBlocked: (userId: string, context: CommandContext) => Promise<Receipt>;
};

/** What the list is kept with. */
export type AdminRightsParts = {
  readonly aggregates: Pick<Aggregates, 'accounts' | 'admins'>;
  readonly identity: { readonly credentials: Pick<Identity['credentials'], 'admins'> };
};

/** What is decided about one admin. */
function decisionsBy(
  decide: (command: AdminsCommand | LodeError, context: CommandContext) => Promise<Receipt>,
): Pick<AdminRights, 'changeDuty' | 'suspend' | 'activate' | 'remove' | 'removeBlocked'> {
  return {
    changeDuty: (userId, duty, context) =>
      decide(isLodeError(duty) ? duty : { type: 'ChangeDuty', userId, duty, ...decidedBy(context) }, context),
    suspend: (userId, context) => decide({ type: 'SuspendAdmin', userId, ...decidedBy(context) }, context),
    activate: (userId, context) => decide({ type: 'ActivateAdmin', userId, ...decidedBy(context) }, context),
    remove: (userId, context) => decide({ type: 'RemoveAdmin', userId }, context),
    removeBlocked: (userId, context) =>
      decide({ type: 'RemoveAdmin', userId, ...decidedBy(context) }, context),
  };
}

function accountsIn({ accounts }: AdminRightsParts['aggregates']) {
  return async (userId: string) => (await accounts.load(accountStream(userId))).state;
}

type ListParts = {
  readonly adminOf: (userId: string) => Admin | undefined;
  readonly accountOf: (userId: string) => Promise<Account>;
  readonly refresh: () => Promise<void>;
  readonly send: (command: AdminsCommand, context: CommandContext) => Promise<Receipt>;
};

/** Who comes into the list, which the program decides by itself. */
function admissions(
  { identity }: AdminRightsParts,
  { adminOf, accountOf, refresh, send }: ListParts,
): Pick<AdminRights, 'expect' | 'admit' | 'admitAll'> {
  async function list(userId: string, account: Account): Promise<void> {
    if (!isOpenAdmin(account)) return;
    const command = { type: 'AdmitAdmin', userId, isSuspended: account.status === 'suspended' } as const;
    await send(command, admission(userId));
  }

  return {
    expect: async (userId, duty) => {
      if (duty !== 'owner') await send({ type: 'ExpectAdmin', userId, duty }, expectation(userId, duty));
    },
    admit: async (userId) => {
      if (!isListed(adminOf(userId))) await list(userId, await accountOf(userId));
    },
    admitAll: async () => {
      await refresh();
      for (const userId of await identity.credentials.admins()) {
        if (isListed(adminOf(userId))) continue;
        const account = await readable(accountOf(userId));
        if (account !== undefined) await list(userId, account);
      }
    },
  };
}

/** The list of admins, over the log; each of its own changes counts here before it is answered. */
export function createAdminRights(parts: AdminRightsParts): AdminRights {
  const { aggregates } = parts;
  let known: { readonly admins: Admins; readonly revision: number } = { admins: new Map(), revision: -1 };

  async function refresh(): Promise<void> {
    const { state: admins, revision } = await aggregates.admins.load(adminsStream);
    if (revision > known.revision) known = { admins, revision };
  }

  async function standingOf(userId: string): Promise<AdminStanding | undefined> {
    await refresh();
    const admin = known.admins.get(userId);
    return isListed(admin) ? admin.standing : undefined;
  }

  const accountOf = accountsIn(aggregates);

  async function look(userId: string): Promise<boolean> {
    const standing = await standingOf(userId);
    if (standing !== undefined) return standing === 'active';
    const account = await accountOf(userId);
    return isOpenAdmin(account) && account.status === 'active';
  }

  async function send(command: AdminsCommand | LodeError, context: CommandContext): Promise<Receipt> {
    const { position, replayed } = await aggregates.admins.execute(adminsStream, command, context);
    await refresh();
    return { position, replayed };
  }

  const { expect, admit, admitAll } = admissions(parts, {
    adminOf: (userId) => known.admins.get(userId),
    accountOf,
    refresh,
    send,
  });

  /** Decides on somebody, with everybody listed: it is the number of the others that it goes by. */
  async function decide(command: AdminsCommand | LodeError, context: CommandContext): Promise<Receipt> {
    await admitAll();
    const commandId = uuidV5(ADMINS, context.commandId);
    // What follows from an event names that as its cause.
    const isFirst = context.causationId === context.commandId;
    return send(command, { ...context, commandId, ...(isFirst ? { causationId: commandId } : {}) });
  }

  const able = (act: AdminAct) => refresh().then(() => ableIn(known.admins, act));

  return {
    mayAct: (userId) => known.admins.get(userId)?.standing === 'active' || look(userId),
    standingOf,
    dutyOf: (userId) => known.admins.get(userId)?.duty ?? 'owner',
    all: () => admitAll().then(() => known.admins),
    able,
    deciders: () => able('decide on money'),
    expect,
    admit,
    admitAll,
    ...decisionsBy(decide),
    latest: readTogether(refresh),
  };
}

/**
 * The list of admins of a program that runs: everybody is listed now, unless nothing may be written. Where the log has
 * other writers, their changes count here within a second.
 */
export async function watchAdminRights(
  parts: AdminRightsParts & {
    readonly timers: Timers;
    readonly isShared: boolean;
    readonly mayWrite: boolean;
  },
): Promise<AdminRights & { readonly stop: () => void }> {
  const rights = createAdminRights(parts);
  try {
    await (parts.mayWrite ? rights.admitAll() : rights.latest());
  } catch (error) {
    // A damaged list or a full disk keeps admins from deciding, which asks again, and customers from nothing.
    if (!isEngineError(error)) throw error;
  }
  if (!parts.isShared) return { ...rights, latest: async () => undefined, stop: () => undefined };
  const stop = repeatEvery(parts.timers, SHARED_READ_MS, () => {
    // Without the log nothing new is known of anybody: whoever is to decide or change something then reads it in vain.
    rights.latest().catch(() => undefined);
  });
  return { ...rights, stop };
}

/** Reads what has come up to when it is asked: all who ask while one is under way share the one behind it. */
function readTogether(read: () => Promise<void>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let behind: Promise<void> | undefined;
  return () =>
    (behind ??= last.then(() => {
      behind = undefined;
      const begun = read();
      last = begun.catch(() => undefined);
      return begun;
    }));
}

function ableIn(admins: Admins, act: AdminAct): ReadonlySet<string> {
  const isAble = ([, { standing, duty }]: readonly [string, Admin]) =>
    standing === 'active' && mayDo(duty, act);
  return new Set([...admins].filter(isAble).map(([userId]) => userId));
}

/** Undefined of a read that comes to a damaged event: of whom nothing is known, nobody else is kept from anything. */
async function readable<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (!isEngineError(error) || isOutage(error)) throw error;
    return undefined;
  }
}

/** True of an account of an admin that was not closed. */
export function isOpenAdmin(account: Account): account is Extract<Account, { readonly kind: 'open' }> {
  return account.kind === 'open' && account.role === 'admin' && account.status !== 'closed';
}

function decidedBy({ actor }: CommandContext): { readonly by?: string } {
  return actor.kind === 'person' ? { by: actor.id } : {};
}

/** The context of listing somebody: always the same one, so that programs that start at once list everybody once. */
function admission(userId: string): CommandContext {
  return ofProgram(`${userId}/admit`, userId);
}

function expectation(userId: string, duty: Duty): CommandContext {
  return ofProgram(`${userId}/expect`, `${userId}/${duty}`);
}

function ofProgram(name: string, content: string): CommandContext {
  const commandId = uuidV5(ADMINS, name);
  return {
    actor: { kind: 'system', id: 'admins', role: 'system' },
    commandId,
    requestHash: sha256(content),
    correlationId: commandId,
    causationId: commandId,
  };
}
