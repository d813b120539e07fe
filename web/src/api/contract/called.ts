import { routes as declared, type Route } from '#contracts';
import type { RouteTo } from './shapes';

type Declared = typeof declared;

/** The routes that only admins may call. */
export type AdminRouteName = {
  readonly [Name in keyof Declared]: Declared[Name] extends { readonly access: 'admin' } ? Name : never;
}[keyof Declared];

/** A table of some of the contract's routes by their names. */
export type RoutesNamed<Name extends keyof Declared> = { readonly [One in Name]: RouteTo<Declared[One]> };

/** What a page needs of a route to call it. Its schemas stay behind: the server validates, and types need no code. */
function called({ method, path, command, upload }: Route): RouteTo<Route> {
  return { method, path, ...(command && { command }), ...(upload && { upload }) };
}

/** Some of the contract's routes, for calls: data that JSON can hold. */
export function calledRoutes(isTaken: (route: Route) => boolean): Readonly<Record<string, RouteTo<Route>>> {
  const taken = Object.entries<Route>(declared).filter(([, route]) => isTaken(route));
  return Object.fromEntries(taken.map(([name, route]) => [name, called(route)]));
}
