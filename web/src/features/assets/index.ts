export { isPaymentCurrency } from './currency';
export { LastMovements } from './lazy-last-movements';
export { WalletCards } from './wallet-cards';
export { WalletTransactions } from './wallet-transactions';
