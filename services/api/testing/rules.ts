import type { RouteName } from '#contracts';

/** Who may do what (the specification’s section 6), and by which routes. The server is walked in access.int.spec.ts. */
export const matrix: readonly {
  readonly capability: string;
  readonly visitor: boolean;
  readonly user: boolean;
  readonly admin: boolean;
  readonly routes: readonly RouteName[];
}[] = [
  {
    capability: 'Public pages, contact form',
    visitor: true,
    user: true,
    admin: true,
    routes: [
      'content',
      'counters',
      'figures',
      'contact',
      'prices',
      'sendMessage',
      'products',
      'product',
      'productByName',
    ],
  },
  {
    capability: 'Own records',
    visitor: false,
    user: true,
    admin: true,
    routes: [
      'account',
      'ownFundRequests',
      'ownWithdrawals',
      'ownTransfers',
      'receivedTransfers',
      'ownTransactions',
      'notifications',
      'openRequests',
      'accountEvents',
      'statement',
      'why',
    ],
  },
  {
    capability: 'Fund, transfer, withdraw',
    visitor: false,
    user: true,
    admin: false,
    routes: ['requestFunding', 'requestWithdrawal', 'requestTransfer'],
  },
  {
    capability: 'All transfers, withdrawals, funding, users',
    visitor: false,
    user: false,
    admin: true,
    routes: ['transfers', 'withdrawals', 'fundRequests', 'people', 'transactions', 'totals'],
  },
  {
    capability: 'Approve, reject, confirm requests; Block User; Suspend/Activate',
    visitor: false,
    user: false,
    admin: true,
    routes: [
      'confirmFunding',
      'approveAdjustment',
      'rejectAdjustment',
      'approvals',
      'approvalsNeeded',
      'changes',
      'approveChange',
      'rejectChange',
      'rejectFunding',
      'confirmWithdrawal',
      'rejectWithdrawal',
      'confirmTransfer',
      'rejectTransfer',
      'suspend',
      'activate',
    ],
  },
  {
    capability: 'Fund or debit wallets; create users; stop/restart mining',
    visitor: false,
    user: false,
    admin: true,
    routes: ['adjustWallet', 'createAccount', 'stopBonus', 'restartBonus'],
  },
  {
    capability: 'Edit global settings; view and set dollar rate',
    visitor: false,
    user: false,
    admin: true,
    routes: [
      'settings',
      'changeDepositDetails',
      'dollarRate',
      'setDollarRate',
      'setPrices',
      'setBonusPolicy',
      'setAdminAccess',
      'setApprovalLimits',
      'changeContent',
      'previewContent',
      'uploadSiteMedia',
    ],
  },
  {
    capability: 'Upload, edit, delete products',
    visitor: false,
    user: false,
    admin: true,
    routes: ['createProduct', 'changeProduct', 'setProductStock', 'deleteProduct', 'uploadProductImage'],
  },
  {
    capability: 'Report History; View Fund History',
    visitor: false,
    user: false,
    admin: true,
    routes: ['messages', 'readMessage', 'fundRequests'],
  },
];
