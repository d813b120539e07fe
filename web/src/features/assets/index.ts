export { isPaymentCurrency } from './currency';
export { WalletCards } from './wallet-cards';
export { WalletTransactions } from './wallet-transactions';
