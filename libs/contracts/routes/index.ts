import { accessRoutes } from './access.js';
import { approvalRoutes } from './approvals.js';
import { changeRoutes } from './changes.js';
import { auditRoutes } from './audit.js';
import { bulkRoutes } from './bulk.js';
import { filesRoutes } from './files.js';
import { fundingRoutes } from './funding.js';
import { mailRoutes } from './mail.js';
import { messagesRoutes } from './messages.js';
import { operationsRoutes } from './operations.js';
import { processesRoutes } from './processes.js';
import { settingsRoutes } from './settings.js';
import { peopleRoutes } from './people.js';
import { productsRoutes } from './products.js';
import { requestRoutes } from './requests.js';
import type { Route } from './route.js';
import { securityRoutes } from './security.js';
import { sumsRoutes } from './sums.js';
import { transactionRoutes } from './transactions.js';
import { transferRoutes } from './transfers.js';
import { walletRoutes } from './wallet.js';
import { withdrawalRoutes } from './withdrawals.js';

/** The routes by topic, in the order to read them in. The name is that of the topic's page in the reference. */
export const topics = [
  {
    name: 'access',
    title: 'Access',
    about: 'Registering, signing in and out, invitations.',
    routes: accessRoutes,
  },
  {
    name: 'security',
    title: 'Security',
    about: 'Passwords, transfer pins, sessions.',
    routes: securityRoutes,
  },
  {
    name: 'mail',
    title: 'Mail',
    about: 'What is sent by mail, and what the links in it are good for.',
    routes: mailRoutes,
  },
  {
    name: 'people',
    title: 'People',
    about: 'Accounts: whose they are, whether they are active, their bonus.',
    routes: peopleRoutes,
  },
  {
    name: 'wallet',
    title: 'Wallet',
    about: 'Balances, the reasons for them, and what admins book by hand.',
    routes: walletRoutes,
  },
  {
    name: 'bulk',
    title: 'Bulk',
    about: 'Many commands in one request, each with a key and an answer of its own.',
    routes: bulkRoutes,
  },
  {
    name: 'requests',
    title: 'Requests',
    about: 'Requests of all kinds together.',
    routes: requestRoutes,
  },
  {
    name: 'approvals',
    title: 'Approvals',
    about: 'What takes more than one admin, above the limits that are set.',
    routes: approvalRoutes,
  },
  {
    name: 'changes',
    title: 'Changes',
    about:
      'What takes a second admin whatever its size: settings that hold for all, duties, bonus cycles that begin anew.',
    routes: changeRoutes,
  },
  {
    name: 'funding',
    title: 'Funding',
    about: 'Requests to have a wallet funded, and their decisions.',
    routes: fundingRoutes,
  },
  {
    name: 'withdrawals',
    title: 'Withdrawals',
    about: 'Requests to be paid, and their decisions.',
    routes: withdrawalRoutes,
  },
  {
    name: 'transfers',
    title: 'Transfers',
    about: 'Transfers to other customers and to banks, and their decisions.',
    routes: transferRoutes,
  },
  {
    name: 'transactions',
    title: 'Transactions',
    about: 'Statements, notifications, and what waits for a decision.',
    routes: transactionRoutes,
  },
  { name: 'files', title: 'Files', about: 'Uploads and downloads.', routes: filesRoutes },
  { name: 'products', title: 'Products', about: 'The products that the site shows.', routes: productsRoutes },
  {
    name: 'messages',
    title: 'Messages',
    about: 'What people write by the contact form.',
    routes: messagesRoutes,
  },
  {
    name: 'settings',
    title: 'Settings',
    about: 'What admins set for the whole platform, and the texts of the site.',
    routes: settingsRoutes,
  },
  {
    name: 'audit',
    title: 'Audit',
    about: 'The log itself, any moment of it, and whether the books balance.',
    routes: auditRoutes,
  },
  {
    name: 'processes',
    title: 'Processes',
    about: 'Jobs, reactors, and the transfers that they carry.',
    routes: processesRoutes,
  },
  {
    name: 'operations',
    title: 'Operations',
    about: 'Totals, read models, live updates, health and metrics.',
    routes: operationsRoutes,
  },
  {
    name: 'sums',
    title: 'Sums',
    about: 'What charts are drawn of: money by day, open requests by age, commands.',
    routes: sumsRoutes,
  },
] as const satisfies readonly {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly routes: Readonly<Record<string, Route>>;
}[];

/** Every route of the API: the server, its access rules, the OpenAPI document and the tests are made from this table. */
export const routes = {
  ...accessRoutes,
  ...peopleRoutes,
  ...securityRoutes,
  ...walletRoutes,
  ...bulkRoutes,
  ...requestRoutes,
  ...approvalRoutes,
  ...changeRoutes,
  ...fundingRoutes,
  ...withdrawalRoutes,
  ...transferRoutes,
  ...transactionRoutes,
  ...filesRoutes,
  ...auditRoutes,
  ...settingsRoutes,
  ...productsRoutes,
  ...mailRoutes,
  ...messagesRoutes,
  ...operationsRoutes,
  ...processesRoutes,
  ...sumsRoutes,
} as const;

export type RouteName = keyof typeof routes;
export { codesOf, stepUpOf, type CodeOf } from './codes.js';
export { inputOf } from './input.js';
export type { Access, ListFile, Route } from './route.js';
