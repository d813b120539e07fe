import { createHash, randomUUID } from 'node:crypto';
import type { RouteName } from '#contracts';
import { commandIdOf } from '#kernel';
import { accountStream, defaultBonusPolicy } from '#ledger';
import type { Ask, Client, Given } from '../client.js';
import {
  apiOf,
  formOf,
  keyed,
  newPerson,
  newProduct,
  PASSWORD,
  PDF,
  PNG,
  signIn,
  type Person,
} from '../people.js';
import { createSessionsAtWork } from './sessions.js';

/** A command that tells where in the log it is: as it was sent, and its answer. */
export type OtherCommand = {
  readonly route: RouteName;
  readonly person: Person;
  readonly ask: Ask;
  answer: { readonly status: number; readonly text: string } | undefined;
};

/** An item of many in one request; `isApplied` once it was answered. */
export type BulkItem = {
  readonly commandId: string;
  readonly userId: string;
  isApplied: boolean | undefined;
};

/** A file that was taken, by the SHA-256 of what was sent. */
export type Taken = { readonly fileId: string; readonly sha256: string };

/** Somebody who wanted an account, and then perhaps to be forgotten; each true once it was answered so. */
export type Guest = {
  readonly email: string;
  readonly firstname: string;
  isRegistered: boolean;
  isErasureAsked: boolean;
  isErased: boolean;
};

/** Who is at work besides the customers. */
export type OtherParts = {
  readonly admin: Person;
  /** A customer whose account and profile change all the time, and who asks for nothing. */
  readonly member: Person;
  /** A customer who hands in files. */
  readonly uploader: Person;
  /** A customer with a pin and no money, who changes how they come in. */
  readonly keeper: Person;
  readonly draw: () => number;
};

/** One step of a writer: something is asked for, and what it was answered with is kept. */
type Step = (visitor: Client) => Promise<void>;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const reason = 'a test';

/** A policy that pays the first week of a cycle as the one does that is in force from the first. */
const policyOf = (n: number) => ({ ...defaultBonusPolicy, windowDays: 7 + (n % 300) });

/** The commands of an admin that concern everybody, in the turn in which they are sent. */
const settingsAsks = (n: number): readonly { readonly route: RouteName; readonly body: object }[] => [
  { route: 'setPrices', body: { prices: { BTC: `1.${String(n).padStart(8, '0')}` }, reason } },
  { route: 'setDollarRate', body: { rate: `0.9${String(n).padStart(7, '0')}`, reason } },
  { route: 'changeDepositDetails', body: { email: `pay-${n}@example.org`, reason } },
  { route: 'setBonusPolicy', body: { policy: policyOf(n), reason } },
  { route: 'changeContent', body: { content: { company: { name: `Lode ${n}`, since: null } } } },
];

/** A PDF that no other is like. */
const pdfOf = (n: number) => new Uint8Array(Buffer.concat([PDF, Buffer.from(`% ${n} ${randomUUID()}\n`)]));

/** What the door for clients of the identity toolkit answers. */
async function atDoor(
  visitor: Client,
  what: 'signInWithPassword' | 'delete',
  body: object,
): Promise<Response> {
  return fetch(`${visitor.address}/v1/accounts:${what}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/**
 * Everything else that a program is asked for while customers are at work: settings, products, messages, what concerns an
 * account and no money, files, many adjustments in one request, people who come, and who are forgotten. Each writer is one
 * step, to be called again and again.
 */
export function createOthers({ admin, member, uploader, keeper, draw }: OtherParts) {
  const sessions = createSessionsAtWork(admin, keeper);
  const commands: OtherCommand[] = [];
  const items: BulkItem[] = [];
  const files: Taken[] = [];
  const guests: Guest[] = [];
  /** Products that nothing was done with yet. */
  const open: { readonly productId: string; readonly body: object }[] = [];
  let count = 0;
  let hasAddress = false;

  /** Sends a command under its key; one that was not answered stays to be sent again. */
  const send = async (visitor: Client, command: OtherCommand): Promise<boolean> => {
    const api = apiOf(visitor, command.person);
    const answer = await api.call(command.route, command.ask).catch(() => undefined);
    if (answer === undefined || answer.status >= 500) return false;
    command.answer = { status: answer.status, text: answer.text };
    return true;
  };
  const ask = async (visitor: Client, route: RouteName, person: Person, what: Ask) => {
    const command: OtherCommand = { route, person, ask: { ...what, headers: keyed() }, answer: undefined };
    commands.push(command);
    await send(visitor, command);
    return command.answer?.status === 201 || command.answer?.status === 200
      ? (JSON.parse(command.answer.text) as Readonly<Record<string, string>>)
      : undefined;
  };

  const settings: Step = async (visitor) => {
    for (const { route, body } of settingsAsks(++count)) await ask(visitor, route, admin, { body });
  };
  const products: Step = async (visitor) => {
    const one = open.shift();
    if (one === undefined) {
      const api = apiOf(visitor, admin);
      const body = await newProduct({ ...admin, api }, `Rig ${randomUUID()}`);
      const { productId } = (await ask(visitor, 'createProduct', admin, { body })) ?? {};
      // Its pictures take long: what can be done with it waits for the next step, or the next start.
      if (productId !== undefined) open.push({ productId, body });
      return;
    }
    const params = { productId: one.productId };
    await ask(visitor, 'changeProduct', admin, { params, body: { ...one.body, amount: '300.00' } });
    await ask(visitor, 'setProductStock', admin, { params, body: { isOutOfStock: true } });
    await ask(visitor, 'deleteProduct', admin, { params });
  };
  const messages: Step = async (visitor) => {
    const made = await ask(visitor, 'sendMessage', member, { body: { message: 'When is it paid?' } });
    if (made?.['messageId'] === undefined) return;
    const params = { messageId: made['messageId'] };
    for (const route of ['readMessage', 'unreadMessage', 'forgetMessage'] as const)
      await ask(visitor, route, admin, { params, body: {} });
  };
  const account: Step = async (visitor) => {
    const [eve, of] = [await signIn(visitor, member), { params: { userId: member.userId } }];
    const { fileId } = await eve.api.get('uploadProfileImage', { form: formOf(PNG) });
    await ask(visitor, 'changeProfileImage', eve, { ...of, body: { fileId } });
    const n = ++count;
    await ask(visitor, 'changeProfile', eve, { ...of, body: { firstname: `Eve ${n}` } });
    const saved = await ask(visitor, 'saveWalletAddress', eve, {
      ...of,
      body: { walletAddress: `bc1qexample${n}`, proof: { password: eve.password } },
    });
    // The first is in force at once, every other one waits.
    if (hasAddress && saved !== undefined)
      await ask(visitor, 'cancelWalletAddress', eve, { ...of, body: {} });
    hasAddress ||= saved !== undefined;
    const timeZone = n % 2 === 0 ? 'Africa/Lagos' : 'Europe/Zurich';
    await ask(visitor, 'changePreferences', eve, { ...of, body: { timeZone } });
    await ask(visitor, 'readNotifications', eve, { ...of, body: { position: String(n) } });
    for (const route of ['stopBonus', 'restartBonus', 'suspend', 'activate'] as const)
      await ask(visitor, route, admin, { ...of, body: { reason } });
  };
  const uploads: Step = async (visitor) => {
    const bytes = pdfOf(++count);
    const answer = await apiOf(visitor, uploader).call('uploadEvidence', { form: formOf(bytes) });
    if (answer.status !== 201) return;
    const { fileId } = answer.json as Given<'uploadEvidence'>;
    files.push({ fileId, sha256: sha256(bytes) });
  };
  const bulk: Step = async (visitor) => {
    const sent = Array.from({ length: 2 + Math.floor(draw() * 20) }, () => ({
      key: randomUUID(),
      userId: member.userId,
      amounts: { BTC: '1.00' },
    }));
    const mine = sent.map(({ key, userId }): BulkItem => {
      const commandId = commandIdOf(admin.userId, accountStream(userId), key);
      return { commandId, userId, isApplied: undefined };
    });
    items.push(...mine);
    const body = { items: sent, reason };
    const answer = await apiOf(visitor, admin).call('adjustWallets', { body });
    if (answer.status !== 200) return;
    const { results } = answer.json as Given<'adjustWallets'>;
    for (const [n, { status }] of results.entries()) {
      const item = mine[n];
      if (item !== undefined && status !== 'unknown') item.isApplied = status === 'applied';
    }
  };
  const coming: Step = async (visitor) => {
    const body = newPerson('Guest');
    const { email, firstname } = body;
    const guest: Guest = { email, firstname, isRegistered: false, isErasureAsked: false, isErased: false };
    guests.push(guest);
    const isLetIn = draw() < 0.3;
    guest.isRegistered = isLetIn
      ? (await ask(visitor, 'createAccount', admin, { body })) !== undefined
      : (await visitor.call('register', { body })).status === 201;
    if (isLetIn) await ask(visitor, 'inviteAdmin', admin, {});
    // The key of who was made by an admin is asked for again, and with a person what was answered is forgotten.
    if (!guest.isRegistered || isLetIn || draw() < 0.3) return;
    const signedIn = await atDoor(visitor, 'signInWithPassword', { email, password: PASSWORD });
    if (!signedIn.ok) return;
    const { idToken } = (await signedIn.json()) as { readonly idToken: string };
    guest.isErasureAsked = true;
    guest.isErased = (await atDoor(visitor, 'delete', { idToken })).ok;
  };

  return {
    commands,
    items,
    files,
    guests,
    send,
    checkSessions: sessions.check,
    /** The writers by what they do. */
    steps: { settings, products, messages, account, uploads, bulk, coming, sessions: sessions.step },
  };
}

export type Others = ReturnType<typeof createOthers>;
