import { z } from 'zod';
import {
  accepted,
  decimal,
  DOLLARS,
  eachPaymentCurrency,
  pageOf,
  position,
  reason,
  requestId,
} from './common.js';
import { moneyProof } from './proof.js';
import { PAYOUT_REFERENCE_MAX } from './limits.js';
import { typedLine } from './typed.js';
import { walletAddressBody } from './people.js';
import { anyRequest, chosenCurrency, fundRequestQuery } from './wallet.js';

const AMOUNT = 'Please enter a valid amount.';

/** US dollars as somebody typed them. The ledger says whether their size and decimals will do. */
export const typedAmount = z
  .string(AMOUNT)
  .max(64, AMOUNT)
  .trim()
  .min(1, AMOUNT)
  .meta({ format: 'decimal', pattern: DOLLARS, description: 'US dollars', examples: ['100.00'] });
const typedAmountOrNone = z
  .string(AMOUNT)
  .max(64, AMOUNT)
  .trim()
  .meta({
    format: 'decimal',
    pattern: DOLLARS,
    description: 'US dollars; an empty one is 0',
    examples: ['100.00'],
  });

export const withdrawalBody = z.object({
  // One that is empty is nothing, as 0 is (specification, section 5): the ledger refuses both in the same words.
  amount: typedAmountOrNone,
  currency: chosenCurrency,
  walletAddress: walletAddressBody.shape.walletAddress.optional().meta({
    description:
      'The address in force for the currency: another one is refused, so that nothing goes where nobody looked',
  }),
  proof: moneyProof.optional(),
});
export type WithdrawalBody = z.infer<typeof withdrawalBody>;
export const withdrawalAnswer = accepted.extend({
  requestId,
  status: z.literal('Pending'),
  convertedAmount: decimal.meta({ description: 'In the payout currency; 0 while there is no dollar rate' }),
});
export type WithdrawalAnswer = z.infer<typeof withdrawalAnswer>;

/** What confirms a withdrawal: why, and by what its payment is found where it was made. */
export const confirmWithdrawalBody = z
  .object({
    reason: reason.optional(),
    payoutReference: typedLine(PAYOUT_REFERENCE_MAX)
      .optional()
      .meta({
        description:
          'By what the payment is found where it was made, as the id of its transaction; shown to the customer',
        examples: ['4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b'],
      }),
  })
  .default({});

/** What a request has set aside: an amount of its currency, at the price of that moment. */
export const hold = z.object({
  converted: decimal.meta({ description: 'What was set aside in `currency`' }),
  price: decimal.meta({ description: 'US dollars for one unit of `currency`' }),
});

export const withdrawal = anyRequest.extend({
  type: z.literal('withdrawal'),
  loanPurpose: z.literal('Withdrawal').meta({ description: 'What it is asked for' }),
  walletAddress: z.string().meta({ description: '`forgotten` once the person was erased' }),
  convertedAmount: decimal.meta({ description: 'In the payout currency, at the dollar rate of `hold`' }),
  hold: hold.extend({
    rate: decimal.nullable().meta({ description: 'Units of the payout currency for one US dollar' }),
  }),
  payoutReference: z.string().nullable().meta({
    description:
      'By what its payment is found; null where nothing was said, `forgotten` once the person was erased',
  }),
});
export type WithdrawalView = z.infer<typeof withdrawal>;
export const withdrawalPage = pageOf(withdrawal);
export type WithdrawalPage = z.infer<typeof withdrawalPage>;
export const withdrawalQuery = fundRequestQuery;

const dollars = decimal.meta({ description: 'US dollars' });
/** What a customer can withdraw: nothing on a screen looks spendable that is not. */
export const withdrawable = z.object({
  withdrawable: eachPaymentCurrency(() => dollars),
  minimumRemaining: dollars.meta({ description: 'US dollars that must stay in the wallet' }),
  position,
});
export type Withdrawable = z.infer<typeof withdrawable>;
