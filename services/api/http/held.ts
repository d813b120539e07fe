import type { HeldStreams } from '#application';
import type { RouteName } from '#contracts';
import type { LodeRequest } from './route.js';

/** Where Nest keeps what read models hold. */
export const HELD_STREAMS = Symbol('held streams');

/** The read models that a query answers from. One that reads the log itself says what it can't read. */
const modelsOf: Readonly<Partial<Record<RouteName, readonly string[]>>> = {
  account: ['accounts'],
  allProducts: ['products'],
  events: ['events'],
  fundRequest: ['requests'],
  fundRequests: ['requests'],
  me: ['accounts'],
  messages: ['messages'],
  notifications: ['notifications'],
  openRequests: ['requests', 'transfers'],
  ownFundRequests: ['requests'],
  ownTransactions: ['transactions'],
  ownTransfers: ['transfers'],
  ownWithdrawals: ['requests'],
  people: ['accounts'],
  product: ['products'],
  productByName: ['products'],
  products: ['products'],
  receivedTransfers: ['transfers'],
  settings: ['settings'],
  totals: ['totals'],
  transactions: ['transactions'],
  transfer: ['transfers'],
  transfers: ['transfers'],
  withdrawal: ['requests'],
  withdrawals: ['requests'],
};

/** Whether what a query is answered from lacks events: of the person that it is about, or of anybody. */
export function isHeld(held: HeldStreams, name: RouteName, { params, caller }: LodeRequest): boolean {
  const { userId } = params as { userId?: string };
  const about = name === 'me' ? caller?.userId : userId;
  return modelsOf[name]?.some((model) => held.holds(model, about)) === true;
}
