import type { routes as declared } from '#contracts';
import { calledRoutes, type AdminRouteName, type RoutesNamed } from './called';

/** A table of the routes that not only admins may call, by their names. */
export type Routes = RoutesNamed<Exclude<keyof typeof declared, AdminRouteName>>;

/**
 * Those routes, for calls. The build works this table out and ships nothing else of this module, so it has to be data that
 * JSON can hold.
 */
export const routes = calledRoutes(({ access }) => access !== 'admin') as Routes;
