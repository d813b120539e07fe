import { positionOf } from '#kernel';
import { searchKey, type AccountDocument } from '#projections';

/** The document of a customer who has done nothing yet, by its id; `more` stands in it instead. */
export function accountDocument(userId: string, more: Partial<AccountDocument> = {}): AccountDocument {
  const { firstname = 'Ann', lastname = 'Miller', email = `${userId}@example.org` } = more;
  const none = { available: '0', balance: '0', held: '0' };
  return {
    accountNumber: '3012345678',
    address: null,
    addresses: {},
    balances: { BTC: none, PI: none, USDT: none },
    bonus: null,
    bonusDay: '',
    bonusNextDay: '',
    created: '2026-01-01T00:00:00.000Z',
    email,
    emailKey: searchKey(email),
    firstname,
    id: userId,
    image: null,
    isEmailVerified: true,
    lastname,
    lastnameKey: searchKey(lastname),
    latest: '2026-01-01T00:00:00.000Z',
    moneyOut: null,
    nameKey: searchKey(`${firstname} ${lastname}`),
    phone: '1',
    position: positionOf(1),
    revision: 0,
    role: 'user',
    status: 'active',
    totals: { bonus: '0', funded: '0', openRequests: 0, requests: 0, transferred: '0', withdrawn: '0' },
    userId,
    wallet: none,
    ...more,
  };
}
