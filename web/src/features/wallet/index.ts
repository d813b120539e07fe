export { AssetsCard } from './assets-card';
export { TotalsCard } from './totals-card';
export { WalletCard } from './wallet-card';
export { WhyPanel } from './lazy-why-panel';
