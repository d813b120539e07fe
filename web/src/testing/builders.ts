import type { AccountView, FundRequestView, Session, Why } from '#contracts';

export function sessionOf(role: 'user' | 'admin', accessToken = 'first-token'): Session {
  return {
    accessToken,
    expiresAt: '2026-05-03T12:15:00.000Z',
    user: {
      userId: role === 'admin' ? 'marta' : 'amara',
      role,
      firstname: role === 'admin' ? 'Marta' : 'Amara',
    },
    message: 'Login successful',
  };
}

export function requestOf(changes: Partial<FundRequestView> = {}): FundRequestView {
  return {
    id: 'R1'.padEnd(34, 'x'),
    userId: 'amara',
    type: 'Funding',
    customer: 'Amara Nwosu',
    email: 'amara@example.com',
    accountNumber: '3071884215',
    amount: '100.00',
    currency: 'BTC',
    status: 'Pending',
    closed: false,
    confirmedAt: null,
    convertedAmount: '0.00062500',
    createdAt: '2026-05-03T08:52:00.000Z',
    evidence: {
      fileId: 'f'.repeat(35),
      mediaType: 'application/pdf',
      bytes: 84_000,
      sha256: 'b1f0'.padEnd(64, '7'),
    },
    decision: null,
    position: '41',
    ...changes,
  };
}

const nothing = { balance: '0.00', available: '0.00', held: '0.00' };

export function accountOf(changes: Partial<AccountView> = {}): AccountView {
  return {
    userId: 'amara',
    accountNumber: '3071884215',
    role: 'user',
    status: 'active',
    firstname: 'Amara',
    lastname: 'Nwosu',
    email: 'amara@example.com',
    phone: '+234 1',
    created: '2026-05-01T08:00:00.000Z',
    image: null,
    walletAddress: null,
    bonus: null,
    wallet: { balance: '2480.00', available: '2405.00', held: '75.00' },
    balances: { BTC: { ...nothing, balance: '0.01600000' }, PI: nothing, USDT: nothing },
    totals: {
      bonus: '0.00',
      funded: '2480.00',
      openRequests: 1,
      requests: 1,
      transferred: '0.00',
      withdrawn: '0.00',
    },
    withdrawable: { BTC: '2404.00', PI: '0.00', USDT: '0.00' },
    position: '40',
    ...changes,
  };
}

export function entryOf(changes: Partial<Why['entries'][number]> = {}): Why['entries'][number] {
  return {
    eventId: '5f0c2b8e-0000-5000-8000-000000000001',
    type: 'FundingConfirmed',
    revision: 2,
    position: '12',
    at: '2026-05-02T10:05:00.000Z',
    change: '500.00',
    heldChange: '0.00',
    balanceAfter: '500.00',
    postings: [
      { account: 'operator/deposits', currency: 'USD', amount: '-500.00' },
      { account: 'customer/amara/available', currency: 'USD', amount: '500.00' },
    ],
    actor: { id: 'marta', role: 'admin', name: 'Marta Okafor' },
    currency: 'USDT',
    price: '1.00000000',
    chain: 'a'.repeat(64),
    ...changes,
  };
}

export function whyOf(changes: Partial<Why> = {}): Why {
  return {
    userId: 'amara',
    stream: 'account-amara',
    currency: 'USD',
    balance: '500.00',
    available: '500.00',
    held: '0.00',
    revision: 2,
    entries: [entryOf()],
    before: null,
    chainVerified: true,
    ...changes,
  };
}
