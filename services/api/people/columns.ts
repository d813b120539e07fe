import type { PersonView } from '#contracts';
import { paymentCurrencies } from '#ledger';
import type { Columns } from '../http/csv.js';

/** A person as a line of a file. */
export const personColumns: Columns<PersonView> = [
  ['userId', ({ userId }) => userId],
  ['created', ({ created }) => created],
  ['role', ({ role }) => role],
  ['status', ({ status }) => status],
  ['firstname', ({ firstname }) => firstname],
  ['lastname', ({ lastname }) => lastname],
  ['email', ({ email }) => email],
  ['phone', ({ phone }) => phone],
  ['accountNumber', ({ accountNumber }) => accountNumber],
  ['walletUsd', ({ wallet }) => wallet.balance],
  ['availableUsd', ({ wallet }) => wallet.available],
  ['heldUsd', ({ wallet }) => wallet.held],
  ...paymentCurrencies.map(
    (currency) => [currency, ({ balances }: PersonView) => balances[currency].balance] as const,
  ),
  ['fundedUsd', ({ totals }) => totals.funded],
  ['withdrawnUsd', ({ totals }) => totals.withdrawn],
  ['transferredUsd', ({ totals }) => totals.transferred],
  ['bonusUsd', ({ totals }) => totals.bonus],
  ['openRequests', ({ totals }) => totals.openRequests],
];
