import type { HeldStreams } from '#application';
import type { routes, RouteName } from '#contracts';
import type { LodeRequest } from './route.js';

/** Where Nest keeps what read models hold. */
export const HELD_STREAMS = Symbol('held streams');

type QueryName = {
  [Name in RouteName]: (typeof routes)[Name] extends { readonly method: 'GET' } ? Name : never;
}[RouteName];

/** The read models that a query answers from; none where it reads the log itself, which says what it can't read. */
const modelsOf: Readonly<Partial<Record<RouteName, readonly string[]>>> = {
  account: ['accounts'],
  accountAsOf: [],
  accountEvents: [],
  accountHolder: [],
  allProducts: ['products'],
  causation: [],
  clock: [],
  contact: [],
  content: [],
  counters: ['totals'],
  figures: ['totals'],
  depositAddresses: [],
  dollarRate: [],
  emailChange: [],
  event: [],
  events: ['events'],
  evidenceFile: [],
  file: [],
  fundRequest: ['requests'],
  fundRequests: ['requests'],
  healthLive: [],
  healthReady: [],
  jobs: [],
  live: [],
  mails: [],
  me: ['accounts'],
  messages: ['messages'],
  metrics: [],
  notifications: ['notifications'],
  openRequests: ['requests', 'transfers'],
  ownFundRequests: ['requests'],
  ownSecurityEvents: [],
  ownSessions: [],
  ownTransactions: ['transactions'],
  ownTransfers: ['transfers'],
  ownWithdrawals: ['requests'],
  parkedEvents: [],
  passwordPolicy: [],
  people: ['accounts'],
  prices: [],
  product: ['products'],
  productByName: ['products'],
  productImage: [],
  products: ['products'],
  profileImage: ['accounts'],
  projections: [],
  reactors: [],
  receivedTransfers: ['transfers'],
  recommendedImage: [],
  sessionsOf: [],
  settings: ['settings'],
  settingsHistory: [],
  siteMedia: [],
  stalledTransfers: ['transfers'],
  statement: [],
  stream: [],
  totals: ['totals'],
  transactions: ['transactions'],
  transfer: ['transfers'],
  secondFactor: [],
  transferPin: [],
  transfers: ['transfers'],
  trialBalance: ['trial-balance'],
  why: [],
  withdrawable: [],
  withdrawal: ['requests'],
  withdrawals: ['requests'],
} satisfies Readonly<Record<QueryName, readonly string[]>>;

/** Whether what a query is answered from lacks events: of the person that it is about, or of anybody. */
export function isHeld(
  held: HeldStreams,
  name: RouteName,
  { params, caller }: LodeRequest,
): boolean | Promise<boolean> {
  const models = modelsOf[name] ?? [];
  if (models.length === 0) return false;
  const { userId } = params as { userId?: string };
  return held.holds(models, name === 'me' ? caller?.userId : userId);
}
