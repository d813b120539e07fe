import type { TransferView } from '#contracts';

/** Where a transfer goes: to a bank, or to a customer here. */
export function bankOf({ receiver, details }: TransferView): string {
  return receiver === null ? details.bankName : 'On this platform';
}
