import { calledRoutes, type AdminRouteName, type RoutesNamed } from './called';

/** The routes that only admins may call, for calls. The build works this table out, too; a customer's browser gets none of it. */
export const adminRoutes = calledRoutes(({ access }) => access === 'admin') as RoutesNamed<AdminRouteName>;
