import { routes as declared, type Route } from '#contracts';
import type { RouteTo } from './shapes';

/** A table of the contract's routes by their names. */
export type Routes = { readonly [Name in keyof typeof declared]: RouteTo<(typeof declared)[Name]> };

/** What a page needs of a route to call it. Its schemas stay behind: the server validates, and types need no code. */
function called({ method, path, command, upload }: Route): RouteTo<Route> {
  return { method, path, ...(command && { command }), ...(upload && { upload }) };
}

/**
 * Every route of the API, for calls. The build works this table out and ships nothing else of this module, so it has to
 * be data that JSON can hold.
 */
export const routes = Object.fromEntries(
  Object.entries(declared).map(([name, route]) => [name, called(route)]),
) as Routes;
