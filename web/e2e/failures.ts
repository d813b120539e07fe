import type { BrowserContext, Page, Route } from 'playwright-core';
import { said } from './said.js';

/** A route of the API, as the contract has it. */
export type Called = { readonly method: string; readonly path: string };

/** A refusal of the service. */
export const refusal = (status: number, code: string, detail: string) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'about:blank', title: 'Refused', status, code, detail }),
});
/** The service's own words when a part of it has failed, which are said where a page has no words for what was not done. */
export const AWAY = 'A part of the service is away.';
/** What it answers then. */
export const failed = refusal(503, 'unavailable', AWAY);

/** Has one route of the API handled by a test, until what this gives is called. */
export async function handled(
  context: BrowserContext,
  { method, path }: Called,
  handle: (route: Route) => Promise<void>,
): Promise<() => Promise<void>> {
  const address = new RegExp(`${path.replace(/:\w+/g, '[^/?]+')}(?:\\?.*)?$`);
  const underWay = new Set<Promise<void>>();
  let isOver = false;
  const other = async (route: Route) => {
    const isHandled = !isOver && route.request().method() === method;
    const work = (isHandled ? handle(route) : route.fallback()).finally(() => underWay.delete(work));
    underWay.add(work);
    return work;
  };
  await context.route(address, other);
  return async () => {
    isOver = true;
    // Playwright lets go of requests that a handler still has when it is taken away, and then refuses the handler's answer.
    await Promise.allSettled(underWay);
    await context.unroute(address, other);
  };
}

/** Does on a page what a route is for while that fails, then once more when it works again; each time its outcome is said. */
export async function doTwice(
  page: Page,
  route: Called,
  act: () => Promise<unknown>,
  refused: string,
  done: string | RegExp,
): Promise<void> {
  const works = await handled(page.context(), route, (call) => call.fulfill(failed));
  await act();
  await said(page, refused);
  await works();
  await act();
  await said(page, done);
}
