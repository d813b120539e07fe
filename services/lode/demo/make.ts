import { z } from 'zod';
import { routes } from '#contracts';
import { createApi, type Api } from './client.js';
import { picture } from './files.js';
import { demoHistory } from './history.js';
import { DEMO_PASSWORD, demoAdmin, demoCustomers, demoTeam, type CustomerName } from './people.js';
import {
  DEMO_RATE,
  demoBonusPolicy,
  demoContent,
  demoDetails,
  demoMessages,
  demoPrices,
  demoProducts,
} from './site.js';
import {
  approve,
  asAdmin,
  askFor,
  deedsOf,
  joinCustomer,
  markRead,
  payBonus,
  type Deed,
  type Member,
} from './steps.js';

/** The days that the history goes back: the admin comes first, then the customers. */
export const DEMO_DAYS = 120;

const DAY_MS = 24 * 60 * 60 * 1_000;
const MINUTE_MS = 60 * 1_000;
/** The hours of a day at which somebody registers, the bonus is paid, and everything else begins; in UTC. */
const HOURS = { set: 7, join: 8, bonus: 9, rest: 10 } as const;
/** Between two of the other things of a day. */
const APART_MS = 37 * MINUTE_MS;

const anything = z.unknown();
const isName = (name: string): name is CustomerName => Object.hasOwn(demoCustomers, name);
const names = Object.keys(demoCustomers).filter(isName);

/** What a demonstration is made in. */
export type DemoPlace = {
  readonly address: string;
  /** What makes the first admin. */
  readonly invitation: string;
  /** Sets the program's clock on. */
  readonly moveTo: (instant: number) => void;
  /** The machine's time. */
  readonly now: number;
};

/** The midnight so many days ago. */
export function midnightBefore(now: number, ago: number): number {
  return now - (now % DAY_MS) - ago * DAY_MS;
}

/** Makes people and their history by the product's own API, each thing on its day. */
export async function makeDemo({ address, invitation, moveTo, now }: DemoPlace): Promise<void> {
  const api = createApi(address);
  const members = new Map<CustomerName, Member>();
  const memberOf = (name: CustomerName) => {
    const member = members.get(name);
    if (member === undefined) throw new Error(`${name} is to register before they do anything.`);
    return member;
  };
  await setUp(api, invitation);
  const timed = [
    ...at(HOURS.set, settingDeeds()),
    ...at(
      HOURS.join,
      names.map((name) => ({
        ago: demoCustomers[name].joined,
        carryOut: async () => void members.set(name, await joinCustomer(api, name)),
      })),
    ),
    ...at(HOURS.bonus, bonusDeeds()),
    ...at(HOURS.rest, [...demoHistory.flatMap((step) => deedsOf(step, memberOf)), ...messageDeeds()]),
  ];
  for (const { ago, ms, carryOut } of timed.toSorted((a, b) => b.ago - a.ago || a.ms - b.ms)) {
    moveTo(midnightBefore(now, ago) + ms);
    await carryOut(api);
  }
  moveTo(now);
}

/** Deeds with the time of their day: those of one day are done one after the other. */
function at(hour: number, deeds: readonly Deed[]) {
  const done = new Map<number, number>();
  return deeds.map((deed) => {
    const before = done.get(deed.ago) ?? 0;
    done.set(deed.ago, before + 1);
    return { ...deed, ms: hour * 60 * MINUTE_MS + before * APART_MS + (deed.ago % 23) * MINUTE_MS };
  });
}

/** The admin comes and says what an operator says first. */
async function setUp(api: Api, invitation: string): Promise<void> {
  const { firstname, lastname, email, phone } = demoAdmin;
  const profile = { firstname, lastname, email, phone };
  const body = { ...profile, password: DEMO_PASSWORD, invitation };
  await api.visitor.send(routes.register, { body }, anything);
  await asAdmin(api, async ({ send }) => {
    await send(routes.changeDepositDetails, { body: demoDetails }, anything);
    await send(routes.setDollarRate, { body: { rate: DEMO_RATE, reason: 'First rate' } }, anything);
    await send(
      routes.setBonusPolicy,
      { body: { policy: demoBonusPolicy, reason: 'As announced' } },
      anything,
    );
    await send(routes.changeContent, { body: { content: demoContent } }, anything);
  });
  for (const colleague of demoTeam) await invite(api, colleague);
}

/** The admin invites somebody for a duty, who registers. */
async function invite(api: Api, { duty, agent: _, ...profile }: (typeof demoTeam)[number]): Promise<void> {
  const { token } = await asAdmin(api, ({ send }) =>
    send(routes.inviteAdmin, { body: { duty } }, z.object({ token: z.string() })),
  );
  const body = { ...profile, password: DEMO_PASSWORD, invitation: token };
  await api.visitor.send(routes.register, { body }, anything);
}

/** Prices and products, each on its day. */
function settingDeeds(): readonly Deed[] {
  return [
    ...demoPrices.map(({ ago, prices, reason }) => ({
      ago,
      carryOut: async (api: Api) => {
        const changeId = await askFor(api, routes.setPrices, { body: { prices, reason } });
        if (ago > 1) await approve(api, changeId);
      },
    })),
    ...demoProducts.map(({ ago, colour, ...product }) => ({
      ago,
      carryOut: (api: Api) =>
        asAdmin(api, async ({ send }) => {
          const upload = async () => {
            const body = await picture(colour);
            return (await send(routes.uploadProductImage, { body }, z.object({ fileId: z.string() }))).fileId;
          };
          const images = { image: await upload(), ownerImage: await upload() };
          const ownerName = `${demoAdmin.firstname} ${demoAdmin.lastname}`;
          await send(routes.createProduct, { body: { ...product, ...images, ownerName } }, anything);
        }),
    })),
  ];
}

/** The bonus is paid on each day of a cycle: the seven after somebody's first sign-in, or after it was begun again. */
function bonusDeeds(): readonly Deed[] {
  const begun = [
    ...names.map((name) => demoCustomers[name].joined),
    ...demoHistory.filter(({ kind }) => kind === 'restart the bonus').map(({ ago }) => ago),
  ];
  const days = new Set(
    begun.flatMap((ago) => Array.from({ length: demoBonusPolicy.capDays }, (_, day) => ago - day - 1)),
  );
  return [...days].filter((ago) => ago >= 1).map((ago) => ({ ago, carryOut: payBonus }));
}

function messageDeeds(): readonly Deed[] {
  return demoMessages.map(({ ago, isRead, ...body }) => ({
    ago,
    carryOut: async (api) => {
      const sent = z.object({ messageId: z.string() });
      const { messageId } = await api.visitor.send(routes.sendMessage, { body }, sent);
      if (isRead) await markRead(api, messageId);
    },
  }));
}
