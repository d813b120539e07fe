import { defaultDisplay } from '#contracts';
import type {
  AccountView,
  FundRequestView,
  SecondFactorState,
  Session,
  SettingsView,
  TransferView,
  WaitingApproval,
  WaitingChange,
  Why,
  Withdrawable,
  WithdrawalView,
} from '#contracts';

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

/** Of an app, unless it is changed. */
export function secondFactorOf(changes: Partial<SecondFactorState> = {}): SecondFactorState {
  return {
    isOn: true,
    hasApp: true,
    recoveryCodesLeft: 10,
    passkeys: [],
    passkeysRefused: null,
    rpId: 'localhost',
    isDue: false,
    ...changes,
  };
}

export const noSecondFactor = secondFactorOf({ isOn: false, hasApp: false, recoveryCodesLeft: 0 });

export const passkeyOf = {
  passkeyId: 'a'.repeat(32),
  name: 'Telephone',
  addedAt: '2026-05-02T08:00:00.000Z',
} as const;

export function requestOf(changes: Partial<FundRequestView> = {}): FundRequestView {
  return {
    id: 'R1'.padEnd(34, 'x'),
    userId: 'amara',
    type: 'Funding',
    loanPurpose: 'Funding',
    userRole: 'user',
    address: 'bc1qplatformdeposits0000000000000001',
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
    isEmailVerified: true,
    verifyFirst: [],
    notificationsRead: null,
    preferences: defaultDisplay,
    walletAddress: null,
    walletAddresses: {
      BTC: { address: null, network: 'bitcoin', next: null },
      PI: { address: null, network: 'stellar', next: null },
      USDT: { address: null, network: 'tron', next: null },
    },
    changeWaitHours: 24,
    bonus: null,
    bonusTerms: null,
    moneyOut: null,
    wallet: { balance: '2480.00', available: '2405.00', held: '75.00' },
    balances: { BTC: { ...nothing, balance: '0.01600000' }, PI: nothing, USDT: nothing },
    amountSpend: '75.00',
    totalSpent: '0.00',
    totals: {
      bonus: '0.00',
      funded: '2480.00',
      openRequests: 1,
      requests: 1,
      transferred: '0.00',
      withdrawn: '0.00',
    },
    sendable: { BTC: '998.56', PI: '0.00', USDT: '1405.00' },
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

export function withdrawalOf(changes: Partial<WithdrawalView> = {}): WithdrawalView {
  const { evidence: _, address: _address, ...common } = requestOf();
  return {
    ...common,
    type: 'withdrawal',
    loanPurpose: 'Withdrawal',
    currency: 'USDT',
    walletAddress: 'TKm2cD9sQx7VbN4rFy6HtLpE8wZa1JuG5i',
    convertedAmount: '92.50',
    hold: { converted: '100.000000', price: '1.00000000', rate: '0.925' },
    payoutReference: null,
    ...changes,
  };
}

export function withdrawableOf(changes: Partial<Withdrawable['withdrawable']> = {}): Withdrawable {
  return {
    withdrawable: { BTC: '998.56', PI: '0.00', USDT: '1404.00', ...changes },
    minimumRemaining: '1.00',
    position: '40',
  };
}

export function transferOf(changes: Partial<TransferView> = {}): TransferView {
  const { evidence: _, type: _type, loanPurpose: _purpose, address: _address, ...rest } = requestOf();
  const { convertedAmount: _converted, ...common } = rest;
  return {
    ...common,
    transferType: 'local',
    receiver: { accountNumber: '3084221907' },
    details: {
      bankName: '',
      bankAddress: '',
      accountNumber: '3084221907',
      routingNumber: '',
      swiftBicIban: '',
      accountName: 'Jonas Lindqvist',
      holderAddress: '',
      narration: 'Rent, December',
    },
    hold: { converted: '100.000000', price: '1.00000000' },
    delivery: 'none',
    deliveryAt: null,
    balance: null,
    ...changes,
  };
}

export function settingsOf(changes: Partial<SettingsView> = {}): SettingsView {
  return {
    depositDetails: {
      phoneNumber: '+41 44 000 00 00',
      email: 'office@lode.example',
      contactAddress: null,
      btcWallet: 'bc1qold',
      ethWallet: null,
      piWallet: null,
    },
    dollarRate: null,
    prices: { BTC: '62410.00000000', PI: '1.00000000', USDT: '1.00000000' },
    bonusPolicy: { rate: '0.10', windowDays: 7, everyHours: 7, capDays: 7, currency: 'USDT' },
    content: {},
    adminAccess: { needsSecondFactor: false },
    approvalLimits: { tiers: { BTC: [], PI: [], USDT: [] }, expireHours: 72 },
    lastChanges: {
      'deposit-details': null,
      'dollar-rate': null,
      prices: { at: '2026-05-03T14:02:00.000Z', by: 'Ada Miller', reason: 'Start' },
      'bonus-policy': null,
      content: null,
      'admin-access': null,
      'approval-limits': null,
    },
    position: '40',
    ...changes,
  };
}

/** A price that waits for a second admin, unless it is changed. */
export function changeOf(changes: Partial<WaitingChange> = {}): WaitingChange {
  return {
    id: 'C1'.padEnd(34, 'x'),
    part: 'prices',
    data: { prices: { BTC: '63000' } },
    was: { prices: { BTC: '62410.00000000' } },
    of: null,
    by: { userId: 'daniel', name: 'Daniel Osei', counts: true },
    reason: 'The market moved',
    isOwn: false,
    since: '2026-05-03T08:52:00.000Z',
    until: '2026-05-06T08:52:00.000Z',
    position: '42',
    ...changes,
  };
}

/** An adjustment that waits for a second admin, unless it is changed. */
export function waitingOf(changes: Partial<WaitingApproval> = {}): WaitingApproval {
  return {
    id: 'W1'.padEnd(34, 'x'),
    kind: 'adjustment',
    userId: 'amara',
    customer: 'Amara Nwosu',
    amounts: [{ currency: 'USDT', amount: '1500.00' }],
    approvals: { given: 1, needed: 2 },
    by: [
      {
        userId: 'daniel',
        name: 'Daniel Osei',
        at: '2026-05-03T08:52:00.000Z',
        until: '2026-05-06T08:52:00.000Z',
        reason: 'Paid twice',
        counts: true,
      },
    ],
    isOwn: false,
    since: '2026-05-03T08:52:00.000Z',
    until: '2026-05-06T08:52:00.000Z',
    position: '41',
    ...changes,
  };
}
