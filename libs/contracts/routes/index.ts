import { accessRoutes } from './access.js';
import { filesRoutes } from './files.js';
import { fundingRoutes } from './funding.js';
import { operationsRoutes } from './operations.js';
import { settingsRoutes } from './settings.js';
import { peopleRoutes } from './people.js';
import { productsRoutes } from './products.js';
import { securityRoutes } from './security.js';
import { walletRoutes } from './wallet.js';

/** Every route of the API: the server, its access rules, the OpenAPI document and the tests are made from this table. */
export const routes = {
  ...accessRoutes,
  ...peopleRoutes,
  ...securityRoutes,
  ...walletRoutes,
  ...fundingRoutes,
  ...filesRoutes,
  ...settingsRoutes,
  ...productsRoutes,
  ...operationsRoutes,
} as const;

export type RouteName = keyof typeof routes;
export type { Access, Route } from './route.js';
