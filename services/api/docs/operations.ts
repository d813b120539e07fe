import type { routes, RouteName } from '#contracts';

type Declared = typeof routes;
type NamesOf<Method extends string> = {
  [Name in RouteName]: Declared[Name]['method'] extends Method ? Name : never;
}[RouteName];

/** What queries are called in the OpenAPI document: the contract's names say what they are about, these what they do. */
const queries: Readonly<Record<NamesOf<'GET'>, string>> = {
  passwordPolicy: 'getPasswordPolicy',
  people: 'listPeople',
  admins: 'listAdmins',
  notes: 'listNotes',
  invitations: 'listInvitations',
  transferPin: 'getTransferPinState',
  secondFactor: 'getSecondFactorState',
  emailChange: 'getEmailChange',
  ownSessions: 'listOwnSessions',
  ownSecurityEvents: 'listOwnSecurityEvents',
  sessionsOf: 'listSessionsOf',
  me: 'getOwnAccount',
  account: 'getAccount',
  why: 'explainBalance',
  statement: 'getStatement',
  prices: 'getPrices',
  ownFundRequests: 'listOwnFundRequests',
  evidenceUses: 'findEvidenceUses',
  fundRequest: 'getFundRequest',
  approvals: 'listApprovals',
  approvalsNeeded: 'getApprovalsNeeded',
  changes: 'listChanges',
  fundRequests: 'listFundRequests',
  withdrawable: 'getWithdrawable',
  ownWithdrawals: 'listOwnWithdrawals',
  withdrawal: 'getWithdrawal',
  withdrawals: 'listWithdrawals',
  accountHolder: 'findAccountHolder',
  ownTransfers: 'listOwnTransfers',
  transfer: 'getTransfer',
  receivedTransfers: 'listReceivedTransfers',
  transfers: 'listTransfers',
  transactions: 'listTransactions',
  ownTransactions: 'listOwnTransactions',
  notifications: 'listNotifications',
  openRequests: 'listOpenRequests',
  requests: 'listRequests',
  requestsByAge: 'getRequestsByAge',
  file: 'downloadFile',
  evidenceFile: 'downloadEvidence',
  productImage: 'downloadProductImage',
  recommendedImage: 'downloadRecommendedImage',
  siteMedia: 'downloadSiteMedia',
  profileImage: 'downloadProfileImage',
  events: 'listEvents',
  event: 'getEvent',
  caseFile: 'getCaseFile',
  causation: 'traceCausation',
  stream: 'readStream',
  accountAsOf: 'getAccountAsOf',
  accountEvents: 'listAccountEvents',
  trialBalance: 'getTrialBalance',
  trialPostings: 'listTrialPostings',
  contact: 'getContact',
  content: 'getContent',
  counters: 'getCounters',
  dailySums: 'getDailySums',
  figures: 'getFigures',
  depositAddresses: 'getDepositAddresses',
  settings: 'getSettings',
  settingsHistory: 'listSettingsHistory',
  contentVersion: 'getContentVersion',
  dollarRate: 'getDollarRate',
  products: 'listProducts',
  allProducts: 'listAllProducts',
  product: 'getProduct',
  productByName: 'getProductByName',
  mails: 'listMails',
  messages: 'listMessages',
  totals: 'getTotals',
  clock: 'getClock',
  projections: 'listReadModels',
  parkedEvents: 'listParkedEvents',
  live: 'streamChanges',
  load: 'getLoad',
  healthLive: 'checkLiveness',
  healthReady: 'checkReadiness',
  metrics: 'getMetrics',
  jobs: 'listJobs',
  bonusPreview: 'getBonusPreview',
  tickResults: 'listTickResults',
  reactors: 'listReactors',
  stalledTransfers: 'listStalledTransfers',
  systemSettings: 'getSystemSettings',
  systemEngines: 'getSystemEngines',
  backups: 'getBackups',
  verification: 'getVerification',
};

/** The same of what changes something, where the contract's name doesn't say what is changed. */
const changes = {
  refresh: 'refreshSession',
  suspend: 'suspendPerson',
  activate: 'activatePerson',
  readMessage: 'markMessageRead',
  unreadMessage: 'markMessageUnread',
  discardParked: 'discardParkedEvent',
  replayParked: 'replayParkedEvents',
} as const satisfies { readonly [Name in RouteName]?: string };

/** What a route is called in the OpenAPI document, and so in clients that are generated from it. */
export function operationIdOf(name: RouteName): string {
  const named: Partial<Record<RouteName, string>> = { ...queries, ...changes };
  return named[name] ?? name;
}

/** What is to be known of a route beside its summary. */
export const descriptions: { readonly [Name in RouteName]?: string } = {
  refresh:
    'Takes the cookie `lode_refresh`, which signing in sets and which only addresses below `/api/auth` are sent.',
  signIn:
    'Sets the cookie `lode_refresh`, by which a browser gets its next access token. Whoever has a second factor is answered ' +
    'with a `challenge` and no session: the second step takes that with a code.',
  adjustWallets:
    'Each item has an idempotency key of its own, so that there is no header `Idempotency-Key`. An item needs a reason of ' +
    'its own where the request has none. What came of each item is in `results`; the answer is 200 also when all were refused.',
  decideRequests:
    'Each item has an idempotency key of its own, so that there is no header `Idempotency-Key`, and is a command of its own: one ' +
    'that is refused stops no other. What came of each is in `results`; the answer is 200 also when all were refused.',
  downloadOwnData:
    'Made while it is sent, so that it may be long: an answer that breaks off is not the whole. One person may ask for three ' +
    'at once, and for one more every 20 minutes. It has no link of a mail, no code, no password and no key.',
  eraseAccount:
    'An owner’s act, on an account that is blocked, or closed already. Refused with `account_not_empty` while there is money in it, or a ' +
    'request waits. It can’t be undone: the key that the person’s data is encrypted with is destroyed. What was booked, and the reasons ' +
    'that admins wrote, stay.',
  closeAccount:
    'Refused with `account_not_empty` while there is money in the account, or a request waits. It can’t be undone: the key ' +
    'that the person’s data is encrypted with is destroyed, and the token that asked is good for nothing afterwards.',
  live:
    'A stream of server-sent events. `hello` comes first; `change` says which document changed, as JSON of the schema ' +
    '`Change`: fetch it to see how; `reset` says that everything is to be fetched anew. Each but a comment can have an id, which is a place in the ' +
    'log: sent back as `Last-Event-ID` it goes on from there, and one that this log doesn’t know is answered with `reset`. ' +
    'A comment comes every 15 seconds when nothing else does.',
};

/** What the tags of the contract stand for. */
export const tags = [
  { name: 'Access', description: 'Registering, signing in and out, sessions, passwords and transfer pins.' },
  { name: 'Wallet', description: 'Balances and why they are what they are.' },
  {
    name: 'Requests',
    description: 'What customers ask for: funding, withdrawals and transfers; and their statements.',
  },
  { name: 'Files', description: 'Uploads and downloads.' },
  { name: 'Content', description: 'What the public site shows, and what visitors write.' },
  { name: 'Administration', description: 'What admins decide, book and look up.' },
  { name: 'Audit', description: 'The log itself, any moment of it, and whether the books balance.' },
  { name: 'Operations', description: 'Read models, jobs, live changes, health and metrics.' },
] as const;
