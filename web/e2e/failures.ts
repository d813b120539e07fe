import type { BrowserContext, Route } from 'playwright-core';

/** A route of the API, as the contract has it. */
export type Called = { readonly method: string; readonly path: string };

/** A refusal of the service. */
export const refusal = (status: number, code: string, detail: string) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'about:blank', title: 'Refused', status, code, detail }),
});
/** What it answers when a part of it has failed. */
export const failed = refusal(503, 'unavailable', 'A part of the service is away.');

/** Has one route of the API handled by a test, until what this gives is called. */
export async function handled(
  context: BrowserContext,
  { method, path }: Called,
  handle: (route: Route) => Promise<void>,
): Promise<() => Promise<void>> {
  const address = new RegExp(`${path.replace(/:\w+/g, '[^/?]+')}(?:\\?.*)?$`);
  const other = (route: Route) => (route.request().method() === method ? handle(route) : route.fallback());
  await context.route(address, other);
  return () => context.unroute(address, other);
}
