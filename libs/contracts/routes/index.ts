import { accessRoutes } from './access.js';
import { auditRoutes } from './audit.js';
import { bulkRoutes } from './bulk.js';
import { filesRoutes } from './files.js';
import { fundingRoutes } from './funding.js';
import { messagesRoutes } from './messages.js';
import { operationsRoutes } from './operations.js';
import { processesRoutes } from './processes.js';
import { settingsRoutes } from './settings.js';
import { peopleRoutes } from './people.js';
import { productsRoutes } from './products.js';
import { securityRoutes } from './security.js';
import { transactionRoutes } from './transactions.js';
import { transferRoutes } from './transfers.js';
import { walletRoutes } from './wallet.js';
import { withdrawalRoutes } from './withdrawals.js';

/** Every route of the API: the server, its access rules, the OpenAPI document and the tests are made from this table. */
export const routes = {
  ...accessRoutes,
  ...peopleRoutes,
  ...securityRoutes,
  ...walletRoutes,
  ...bulkRoutes,
  ...fundingRoutes,
  ...withdrawalRoutes,
  ...transferRoutes,
  ...transactionRoutes,
  ...filesRoutes,
  ...auditRoutes,
  ...settingsRoutes,
  ...productsRoutes,
  ...messagesRoutes,
  ...operationsRoutes,
  ...processesRoutes,
} as const;

export type RouteName = keyof typeof routes;
export type { Access, ListFile, Route } from './route.js';
