import type { PaymentCurrency, WalletNetwork } from '#contracts';

const names: Readonly<Record<WalletNetwork, string>> = {
  bitcoin: 'Bitcoin',
  ethereum: 'Ethereum (ERC-20)',
  tron: 'Tron (TRC-20)',
  stellar: 'Stellar',
  none: 'Ask the operator which',
};

/** What people call the network that a currency's addresses are of. */
export function networkName(currency: PaymentCurrency, network: WalletNetwork): string {
  return currency === 'PI' && network === 'stellar' ? 'Pi Network' : names[network];
}
