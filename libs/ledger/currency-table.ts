type WalletCurrency = { readonly isPayable: false };

type PayableCurrency = {
  /** A request can be paid in it, and each customer has a balance in it. */
  readonly isPayable: true;
  /** The member of the deposit details that says where deposits in it go. The names are storage. */
  readonly depositField: `${string}Wallet`;
};

type CurrencyEntry = {
  /** What events, documents and answers call it. The codes are storage. */
  readonly code: string;
  /** Decimal places of the minor unit. */
  readonly scale: number;
  /** Decimal places that a screen shows of a balance (specification, section 9). */
  readonly displayScale: number;
} & (WalletCurrency | PayableCurrency);

/**
 * Every currency, in the order in which forms offer them. All else about them is derived from here: types, shapes, lists,
 * columns, forms, and the versions of the read models that hold a balance in each. An entry is never removed.
 */
export const currencyTable = [
  { code: 'USD', scale: 2, displayScale: 2, isPayable: false },
  { code: 'BTC', scale: 8, displayScale: 4, isPayable: true, depositField: 'btcWallet' },
  { code: 'USDT', scale: 6, displayScale: 4, isPayable: true, depositField: 'ethWallet' },
  { code: 'PI', scale: 7, displayScale: 4, isPayable: true, depositField: 'piWallet' },
] as const satisfies readonly CurrencyEntry[];
