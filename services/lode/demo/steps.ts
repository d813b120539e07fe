import { z } from 'zod';
import { routes, type Route } from '#contracts';
import { pause, systemTimers } from '#kernel';
import type { Api, Client } from './client.js';
import { picture, receipt } from './files.js';
import type { DemoStep } from './history.js';
import { DEMO_PASSWORD, DEMO_PIN, demoAdmin, demoCustomers, demoTeam, type CustomerName } from './people.js';

/** A customer of the demonstration once they are registered. */
export type Member = { readonly userId: string; readonly accountNumber: string };
export type Members = (name: CustomerName) => Member;

/** What is done at one moment. */
export type Deed = { readonly ago: number; readonly carryOut: (api: Api) => Promise<void> };

/** Between two looks at what the program does by itself, in milliseconds. */
const LOOK_MS = 20;

const fileAnswer = z.object({ fileId: z.string() });
const requestAnswer = z.object({ requestId: z.string() });
const messageAnswer = z.object({ messageId: z.string() });
const anything = z.unknown();

/** Has the admin do something. */
export function asAdmin<Done>(api: Api, work: (client: Client) => Promise<Done>): Promise<Done> {
  return api.as({ ...demoAdmin, password: DEMO_PASSWORD }, work);
}

const waitingAnswer = z.object({ changeId: z.string().optional() });

/** Has the colleague for money ask for what takes a second admin. Answers with the id by which it waits. */
export async function askFor(api: Api, route: Route, given: Parameters<Client['send']>[1]): Promise<string> {
  const [colleague] = demoTeam;
  const { changeId } = await api.as({ ...colleague, password: DEMO_PASSWORD }, ({ send }) =>
    send(route, given, waitingAnswer),
  );
  if (changeId === undefined) throw new Error(`${route.path} waits for no second admin`);
  return changeId;
}

/** Has the admin approve what the colleague asked for. */
export async function approve(api: Api, changeId: string): Promise<void> {
  await asAdmin(api, ({ send }) => send(routes.approveChange, { params: { changeId } }, anything));
}

function asCustomer<Done>(
  api: Api,
  name: CustomerName,
  work: (client: Client) => Promise<Done>,
): Promise<Done> {
  return api.as({ ...demoCustomers[name], password: DEMO_PASSWORD }, work);
}

/** Somebody registers, sets a pin and says where withdrawals go. The first sign-in begins their bonus cycle. */
export async function joinCustomer(api: Api, name: CustomerName): Promise<Member> {
  const { firstname, lastname, email, phone, ...rest } = demoCustomers[name];
  const body = { firstname, lastname, email, phone, password: DEMO_PASSWORD };
  await api.visitor.send(routes.register, { body }, anything);
  return asCustomer(api, name, async ({ userId, send, get }) => {
    await send(routes.setTransferPin, { body: { pin: DEMO_PIN, password: DEMO_PASSWORD } }, anything);
    const saved = 'walletAddresses' in rest ? Object.entries(rest.walletAddresses) : [];
    for (const [currency, walletAddress] of saved) {
      const body = { walletAddress, currency, proof: { password: DEMO_PASSWORD } };
      await send(routes.saveWalletAddress, { params: { userId }, body }, anything);
    }
    if (name === 'amara') {
      const { fileId } = await send(
        routes.uploadProfileImage,
        { body: await picture('#8a4b21') },
        fileAnswer,
      );
      await send(routes.changeProfileImage, { params: { userId }, body: { fileId } }, anything);
    }
    const { accountNumber } = await get(routes.me, undefined, z.object({ accountNumber: z.string() }));
    return { userId, accountNumber };
  });
}

/** What comes of a step: itself, and the decision a day later. */
export function deedsOf(step: DemoStep, members: Members): readonly Deed[] {
  switch (step.kind) {
    case 'fund':
    case 'withdraw':
    case 'send':
    case 'send to a bank':
      return requestDeeds(step, members);
    case 'write':
      return [{ ago: step.ago, carryOut: (api) => write(api, step) }];
    default:
      return [{ ago: step.ago, carryOut: (api) => decideOn(api, step, members(step.who)) }];
  }
}

type RequestStep = Extract<DemoStep, { readonly then: unknown }>;

/** Where each kind of request is asked for and decided. */
const kinds = {
  fund: { ask: routes.requestFunding, confirm: routes.confirmFunding, reject: routes.rejectFunding },
  withdraw: {
    ask: routes.requestWithdrawal,
    confirm: routes.confirmWithdrawal,
    reject: routes.rejectWithdrawal,
  },
  send: { ask: routes.requestTransfer, confirm: routes.confirmTransfer, reject: routes.rejectTransfer },
} as const;

function requestDeeds(step: RequestStep, members: Members): readonly Deed[] {
  const { ago, who, then } = step;
  const { ask, confirm, reject } = kinds[step.kind === 'send to a bank' ? 'send' : step.kind];
  let requestId = '';
  const asking: Deed = {
    ago,
    carryOut: (api) =>
      asCustomer(api, who, async (client) => {
        const body = await requestBody(client, step, members);
        ({ requestId } = await client.send(ask, { body }, requestAnswer));
      }),
  };
  if (then === 'open') return [asking];
  const [route, reason]: [Route, string | undefined] =
    'rejected' in then ? [reject, then.rejected] : [confirm, then.confirmed];
  const carryOut = (api: Api) =>
    asAdmin(api, async (client) => {
      const params = { userId: members(who).userId, requestId };
      await client.send(route, { params, body: { reason } }, anything);
      if (route !== confirm || step.kind !== 'send') return;
      const isUnderWay = async () =>
        (await client.get(routes.transfer, params, routes.transfer.answer)).delivery === 'in transit';
      while (await isUnderWay()) await pause(systemTimers, LOOK_MS);
    });
  return [asking, { ago: ago - 1, carryOut }];
}

async function requestBody(client: Client, step: RequestStep, members: Members): Promise<object> {
  const { amount, currency } = step;
  switch (step.kind) {
    case 'fund': {
      const { fileId } = await client.send(routes.uploadEvidence, { body: receipt() }, fileAnswer);
      return { amount, currency, evidenceId: fileId };
    }
    case 'withdraw':
      return { amount, currency, proof: { pin: DEMO_PIN } };
    case 'send': {
      const { accountNumber } = members(step.to);
      const { narration } = step;
      return { amount, currency, transferType: 'local', accountNumber, narration, pin: DEMO_PIN };
    }
    case 'send to a bank':
      return { amount, currency, ...step.bank, narration: step.narration, pin: DEMO_PIN };
  }
}

/** A customer writes to the platform. */
async function write(api: Api, step: Extract<DemoStep, { readonly kind: 'write' }>): Promise<void> {
  const { who, subject, message, isRead } = step;
  const body = { subject, message };
  const { messageId } = await asCustomer(api, who, ({ send }) =>
    send(routes.sendMessage, { body }, messageAnswer),
  );
  if (isRead) await markRead(api, messageId);
}

/** The admin reads a message. */
export async function markRead(api: Api, messageId: string): Promise<void> {
  await asAdmin(api, ({ send }) => send(routes.readMessage, { params: { messageId }, body: {} }, anything));
}

const decisions = {
  'stop the bonus': routes.stopBonus,
  suspend: routes.suspend,
  activate: routes.activate,
} as const;

/** The admin decides something about a customer. */
async function decideOn(
  api: Api,
  step: Extract<DemoStep, { readonly reason: string }>,
  { userId }: Member,
): Promise<void> {
  const { reason } = step;
  const params = { userId };
  if (step.kind === 'adjust') {
    const body = { amounts: { [step.currency]: step.amount }, reason };
    await asAdmin(api, ({ send }) => send(routes.adjustWallet, { params, body }, anything));
    return;
  }
  const { kind } = step;
  if (kind === 'restart the bonus')
    await approve(api, await askFor(api, routes.restartBonus, { params, body: { reason } }));
  else await asAdmin(api, ({ send }) => send(decisions[kind], { params, body: { reason } }, anything));
}

/** The bonus of the day is paid to whoever is due. */
export async function payBonus(api: Api): Promise<void> {
  await asAdmin(api, async ({ send, get }) => {
    // Whoever was changed last is seen as due.
    await get(routes.me, undefined, anything);
    const { run } = await send(
      routes.runBonusTick,
      { body: { reason: 'The bonus of the day' } },
      routes.runBonusTick.answer,
    );
    const hasEnded = async () => {
      const { items } = await get(routes.jobs, undefined, routes.jobs.answer);
      const found = items.flatMap(({ runs }) => runs).find(({ id }) => id === run.id);
      return found === undefined || found.state === 'done' || found.state === 'failed';
    };
    while (!(await hasEnded())) await pause(systemTimers, LOOK_MS);
  });
}
