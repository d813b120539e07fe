import { z } from 'zod';
import {
  accepted,
  decimal,
  instant,
  listQuery,
  pageOf,
  paymentCurrency,
  position,
  requestId,
} from './common.js';
import { filledLine, typedLine, typedText } from './typed.js';
import { transferPin } from './auth.js';
import { transferProof } from './proof.js';
import { anyRequest, chosenCurrency, requestStatus } from './wallet.js';
import { hold, typedAmount } from './withdrawals.js';

/** Characters at which a form looks an account number up (specification, section 9). */
export const ACCOUNT_NUMBER_LENGTH = 10;
/** What the product says when a number is no customer's. */
export const NO_USER_FOUND = 'No user found with this account number.';

export const accountNumber = z
  .string()
  .regex(/^[A-Za-z0-9]{10}$/, 'An account number has 10 letters or digits.')
  .meta({ description: 'Exactly 10 letters or digits' });
export const accountHolder = z.object({
  accountNumber,
  accountName: z.string().meta({ description: 'Full name of the customer' }),
});
export type AccountHolder = z.infer<typeof accountHolder>;

export const transferType = z.enum(['local', 'international'], 'Please choose local or international.');

const INCOMPLETE = 'Incomplete information';

/** Where the money goes, as the customer typed it. Of a customer’s number no bank, address or code is kept. */
const bankDetails = z.object({
  bankName: typedLine(100, INCOMPLETE)
    .default('')
    .meta({ description: 'Required unless the number is a customer’s' }),
  bankAddress: typedText(200).default(''),
  accountNumber: filledLine(34, INCOMPLETE).meta({
    description: 'A customer’s of 10 digits, or a bank account’s',
  }),
  routingNumber: typedLine(34).default(''),
  swiftBicIban: typedLine(64)
    .default('')
    .meta({ description: 'Required for an international transfer to a bank' }),
  accountName: typedLine(100)
    .default('')
    .meta({ description: 'Required unless the number is a customer’s, whose name it is then' }),
  holderAddress: typedText(200).default(''),
  narration: typedText(200).default(''),
});

export const transferBody = bankDetails.extend({
  transferType,
  amount: typedAmount,
  currency: chosenCurrency.optional().meta({ description: 'Left out: the bonus currency' }),
  pin: transferPin.optional(),
  proof: transferProof.optional(),
});
export type TransferBody = z.infer<typeof transferBody>;
export const transferAnswer = accepted.extend({ requestId, status: z.literal('Pending') });
export type TransferAnswer = z.infer<typeof transferAnswer>;

const shown = z.string().meta({ description: '`forgotten` once the sender was erased' });
export const transfer = anyRequest.extend({
  transferType: z.enum(transferType.options),
  receiver: z
    .object({ accountNumber: z.string() })
    .nullable()
    .meta({ description: 'The customer it goes to; null for a bank transfer' }),
  details: z.object({
    bankName: shown,
    bankAddress: shown,
    accountNumber: shown,
    routingNumber: shown,
    swiftBicIban: shown,
    accountName: z.string().meta({ description: 'Who gets it: a customer’s name as it is today' }),
    holderAddress: shown,
    narration: shown,
  }),
  hold,
  delivery: z
    .enum(['none', 'in transit', 'received', 'returned', 'paid out'])
    .meta({ description: 'Where the money is once it was confirmed; none before' }),
  deliveryAt: instant.nullable().meta({ description: 'Since when it is there' }),
  balance: decimal.nullable().meta({ description: 'The sender’s wallet once it was confirmed; US dollars' }),
});
export type TransferView = z.infer<typeof transfer>;
export const transferPage = pageOf(transfer);
export type TransferPage = z.infer<typeof transferPage>;
export const transferQuery = listQuery.extend({
  status: requestStatus.optional(),
  transferType: transferType.optional(),
});

/** A transfer as its receiver sees it. */
export const receivedTransfer = z.object({
  id: requestId,
  from: z.object({ accountName: z.string(), accountNumber: z.string() }),
  amount: decimal.meta({ description: 'US dollars' }),
  currency: paymentCurrency,
  converted: decimal.meta({ description: 'What was booked in `currency`' }),
  narration: shown,
  receivedAt: instant,
  position,
});
export type ReceivedTransferView = z.infer<typeof receivedTransfer>;
export const receivedTransferPage = pageOf(receivedTransfer);
export type ReceivedTransferPage = z.infer<typeof receivedTransferPage>;
export const receivedTransferQuery = listQuery;
