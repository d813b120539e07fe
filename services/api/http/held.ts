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
  backups: [],
  bonusPreview: ['accounts'],
  caseFile: ['events'],
  causation: [],
  clock: [],
  contact: [],
  content: [],
  contentVersion: [],
  counters: ['totals'],
  dailySums: ['daily-sums'],
  figures: ['totals'],
  depositAddresses: [],
  dollarRate: [],
  emailChange: [],
  event: [],
  events: ['events'],
  evidenceFile: [],
  evidenceUses: ['requests'],
  file: [],
  fundRequest: ['requests'],
  approvals: ['approvals'],
  approvalsNeeded: [],
  changes: ['changes'],
  fundRequests: ['requests'],
  healthLive: [],
  healthReady: [],
  invitations: ['invitations'],
  jobs: [],
  live: [],
  load: [],
  mails: [],
  me: ['accounts'],
  messages: ['messages'],
  metrics: [],
  notes: [],
  notifications: ['notifications'],
  openRequests: ['requests', 'transfers'],
  requests: ['requests', 'transfers'],
  requestsByAge: ['requests', 'transfers'],
  ownFundRequests: ['requests'],
  ownSecurityEvents: [],
  ownSessions: [],
  ownTransactions: ['transactions'],
  ownTransfers: ['transfers'],
  ownWithdrawals: ['requests'],
  parkedEvents: [],
  passwordPolicy: [],
  people: ['accounts'],
  admins: ['accounts'],
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
  systemEngines: [],
  systemSettings: [],
  tickResults: ['events', 'accounts'],
  verification: [],
  statement: [],
  stream: [],
  totals: ['totals'],
  transactions: ['transactions'],
  transfer: ['transfers'],
  secondFactor: [],
  transferPin: [],
  transfers: ['transfers'],
  trialBalance: ['trial-balance'],
  trialPostings: ['trial-balance'],
  why: [],
  withdrawable: [],
  withdrawal: ['requests'],
  withdrawals: ['requests'],
} satisfies Readonly<Record<QueryName, readonly string[]>>;

/** Queries about a person that are answered from what others did. */
const aboutOthers: readonly RouteName[] = ['evidenceUses', 'receivedTransfers'];

/** Whose streams alone a query is answered from; undefined where it may be anybody's. */
export function whoseStreams(name: RouteName, { params, caller }: LodeRequest): string | undefined {
  // What a query reads beside the read models it may read of anybody.
  if ((modelsOf[name] ?? []).length === 0 || aboutOthers.includes(name)) return undefined;
  const { userId } = params as { userId?: string };
  return name === 'me' ? caller?.userId : userId;
}

/** Whether what a query is answered from lacks events: of the person that it is about, or of anybody. */
export function isHeld(held: HeldStreams, name: RouteName, request: LodeRequest): boolean | Promise<boolean> {
  const models = modelsOf[name] ?? [];
  return models.length > 0 && held.holds(models, whoseStreams(name, request));
}
