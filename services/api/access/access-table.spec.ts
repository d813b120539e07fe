import { describe, expect, test } from '@jest/globals';
import { duties, mayOf, routes, stepUpOf, type AdminAct, type Route, type RouteName } from '#contracts';
import { accessTable } from '../testing/access-table.js';

/* The declarations of the contract against the table of access that is written down a second time. */

const names = Object.keys(routes) as RouteName[];

/** What a route declares, in the shape of the table. */
function declared(route: Route): readonly unknown[] {
  if (route.may === undefined) return [route.access];
  const roles = (act: AdminAct) => duties.filter((duty) => (mayOf[act] as readonly string[]).includes(duty));
  const onAdmins = route.mayOnAdmins === undefined ? [] : [roles(route.mayOnAdmins)];
  return [route.access, roles(route.may), stepUpOf(route), ...onAdmins];
}

const agrees = (name: RouteName, route: Route) =>
  JSON.stringify(declared(route)) === JSON.stringify(accessTable[name]);

/** Every other value of one declaration of a route. */
function flipsOf(route: Route): readonly Route[] {
  const accesses = ['visitor', 'anyone', 'signed-in', 'user', 'admin', 'owner', 'self'];
  const others = (member: string, values: readonly unknown[]) =>
    values
      .filter((value) => value !== (route as Readonly<Record<string, unknown>>)[member])
      .map((value) => ({ ...route, [member]: value }));
  if (route.may === undefined) return others('access', accesses);
  const acts = Object.entries(mayOf)
    .filter(([, roles]) => String(roles) !== String(mayOf[route.may]))
    .map(([act]) => act);
  return [
    ...others('access', accesses),
    ...others('may', acts),
    ...others('stepUp', ['never', 'always', 'as a file']),
    ...others('mayOnAdmins', [route.mayOnAdmins === undefined ? 'give duties' : undefined]),
  ];
}

describe('the table of access', () => {
  test('names every route, and none that is gone', () => {
    expect(Object.keys(accessTable).toSorted()).toEqual(names.toSorted());
  });

  test.each(names)('has what %s declares', (name) => {
    expect(declared(routes[name])).toEqual(accessTable[name]);
  });

  test('differs from every route with one declaration changed', () => {
    const missed = names.flatMap((name) =>
      flipsOf(routes[name])
        .filter((flipped) => agrees(name, flipped))
        .map((flipped) => [name, declared(flipped)]),
    );
    expect(missed).toEqual([]);
  });
});
