import type { PaymentCurrency } from '#contracts';
import { isAmount, plainAmount } from '../../lib';

const INVALID_AMOUNT = 'Please enter a valid amount.';
const MISPLACED_COMMA = 'Write cents after a point, as in 1250.50. A comma only parts thousands.';

/** What is wrong with an amount that was typed; undefined when nothing is. */
export function amountProblem(text: string, invalid = INVALID_AMOUNT): string | undefined {
  if (isAmount(text)) return undefined;
  return plainAmount(text).includes(',') ? MISPLACED_COMMA : invalid;
}

/** What is said of more than there is in a currency. */
export function insufficient(currency: PaymentCurrency): string {
  return `Insufficient ${currency} wallet balance!`;
}
