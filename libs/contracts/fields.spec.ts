import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { contact, depositAddresses, dollarRate } from './settings.js';
import { message } from './messages.js';
import { product } from './products.js';
import { transaction } from './transactions.js';
import { transfer } from './transfers.js';
import { account, fundRequest } from './wallet.js';
import { withdrawal } from './withdrawals.js';

/** The fields of the specification's entities (section 3), each with the member that answers have of it. */
const entities: Readonly<Record<string, readonly [z.ZodType, Readonly<Record<string, string>>]>> = {
  user: [
    account,
    {
      id: 'userId',
      firstname: 'firstname',
      lastname: 'lastname',
      email: 'email',
      phone: 'phone',
      active: 'status',
      permission: 'role',
      wallet: 'wallet.balance',
      created: 'created',
      amountSpend: 'amountSpend',
      accountNumber: 'accountNumber',
      totalRequest: 'totals.requests',
      totalSpent: 'totalSpent',
      totalWithdaral: 'totals.withdrawn',
      walletAddress: 'walletAddress',
      image: 'image.fileId',
      name: 'firstname',
      bonusDays: 'bonus.bonusDays',
      startDate: 'bonus.startDate',
      endDate: 'bonus.endDate',
      updatedTime: 'bonus.updatedTime',
    },
  ],
  WalletTransaction: [
    account,
    { BTC: 'balances.BTC.balance', PI: 'balances.PI.balance', USDT: 'balances.USDT.balance' },
  ],
  transaction: [
    transaction,
    {
      id: 'id',
      userId: 'userId',
      amount: 'amount',
      currency: 'currency',
      type: 'type',
      customer: 'customer',
      balance: 'balance',
      created: 'created',
    },
  ],
  'withdrawal request': [
    withdrawal,
    {
      id: 'id',
      userID: 'userId',
      email: 'email',
      fullName: 'customer',
      phone: 'accountNumber',
      loanAmount: 'amount',
      loanPurpose: 'loanPurpose',
      walletType: 'currency',
      walletAddress: 'walletAddress',
      userRole: 'userRole',
      type: 'type',
      status: 'status',
      closed: 'closed',
      confirmedAt: 'confirmedAt',
      convertedAmount: 'convertedAmount',
      createdAt: 'createdAt',
    },
  ],
  'funding request': [
    fundRequest,
    {
      address: 'address',
      evidenceUrl: 'evidence.fileId',
      convertedAmount: 'convertedAmount',
      loanAmount: 'amount',
      type: 'type',
    },
  ],
  transfer: [
    transfer,
    {
      id: 'id',
      userId: 'userId',
      userRole: 'userRole',
      bankName: 'details.bankName',
      bankAddress: 'details.bankAddress',
      accountNumber: 'details.accountNumber',
      routingNumber: 'details.routingNumber',
      swiftBicIban: 'details.swiftBicIban',
      accountName: 'details.accountName',
      holderAddress: 'details.holderAddress',
      amount: 'amount',
      narration: 'details.narration',
      transferType: 'transferType',
      balance: 'balance',
      status: 'status',
      closed: 'closed',
      createdAt: 'createdAt',
    },
  ],
  product: [
    product,
    {
      amount: 'amount',
      ownerName: 'ownerName',
      productName: 'productName',
      description: 'description',
      title: 'title',
      subtitle: 'subtitle',
      imageUrl: 'imageUrl',
      recommendedImages: 'recommendedImages',
      ownerImage: 'ownerImage',
      isActive: 'isActive',
      isOutOfStock: 'isOutOfStock',
      createdAt: 'createdAt',
    },
  ],
  'contact details': [
    contact,
    { phoneNumber: 'phoneNumber', email: 'email', contactAddress: 'contactAddress' },
  ],
  'deposit addresses': [
    depositAddresses,
    { btcWallet: 'addresses.BTC', ethWallet: 'addresses.USDT', piWallet: 'addresses.PI' },
  ],
  message: [
    message,
    {
      id: 'id',
      isRead: 'isRead',
      name: 'name',
      email: 'email',
      subject: 'subject',
      message: 'message',
      created: 'created',
      phone: 'phone',
      businessType: 'businessType',
    },
  ],
  'dollar rate': [dollarRate, { rate: 'rate' }],
};

/** A schema within one, by the names on the way; undefined where there is none. */
function memberOf(schema: z.ZodType | undefined, path: readonly string[]): z.ZodType | undefined {
  const [name, ...further] = path;
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return memberOf(schema.unwrap() as z.ZodType, path);
  if (name === undefined) return schema;
  return schema instanceof z.ZodObject
    ? memberOf((schema.shape as Readonly<Record<string, z.ZodType>>)[name], further)
    : undefined;
}

test.each(Object.entries(entities))('every field of a %s is told by the API', (_entity, [schema, fields]) => {
  const missing = Object.entries(fields).filter(
    ([, path]) => memberOf(schema, path.split('.')) === undefined,
  );
  expect(missing).toEqual([]);
});
