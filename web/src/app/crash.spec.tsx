import { MantineProvider } from '@mantine/core';
import { describe, expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider, type RouteObject } from 'react-router';
import { sitePaths } from '#contracts';
import { Provider } from 'react-redux';
import { makeStore, routes as apiRoutes, SessionProvider } from '../api';
import { problem, serve, to } from '../testing';
import { Crash } from './crash';
import { paths } from './paths';
import { routes } from './routes';

function Broken(): never {
  throw new Error('no such thing');
}

/** The paths of a table of routes, nested ones with it. */
function pathsIn(table: RouteObject[]): readonly string[] {
  return table.flatMap(({ path, children }) => [
    ...(path === undefined ? [] : [path]),
    ...pathsIn(children ?? []),
  ]);
}

test('the router has each page of the table but those of the site, which are documents of their own', () => {
  const known = new Set<string>([...Object.values(sitePaths), ...pathsIn(routes)]);
  expect([...known].sort()).toEqual(Object.values(paths).sort());
});

test('an address that is no page is the router’s error', async () => {
  const report = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const { store, session } = makeStore();
  render(
    <Provider store={store}>
      <SessionProvider value={session}>
        <MantineProvider>
          <RouterProvider router={createMemoryRouter(routes, { initialEntries: ['/auth/nothing'] })} />
        </MantineProvider>
      </SessionProvider>
    </Provider>,
  );
  expect(await screen.findByText('Unexpected Application Error!')).toBeTruthy();
  expect(screen.getByText(/^404 Not Found/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to the start page' }).getAttribute('href')).toBe('/');
  report.mockRestore();
});

describe('a screen whose code can’t be fetched', () => {
  const open = () => {
    serve({ [to(apiRoutes.healthLive)]: () => problem(503, 'unavailable', 'It is away.') });
    const Unfetched = () => {
      throw new TypeError('Failed to fetch dynamically imported module: /assets/support.js');
    };
    const router = createMemoryRouter([{ path: '/', element: <Unfetched />, errorElement: <Crash /> }]);
    return render(
      <MantineProvider>
        <RouterProvider router={router} />
      </MantineProvider>,
    );
  };

  test('says that the service is away, and after it was loaded anew in vain that it is broken', async () => {
    const report = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const { unmount } = open();
    expect(await screen.findByText('Lode is away for a moment')).toBeTruthy();
    unmount();
    sessionStorage.setItem('lode-reloaded', String(Date.now()));
    open();
    expect(await screen.findByText('Unexpected Application Error!')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Reload the page' })).toBeTruthy();
    sessionStorage.clear();
    report.mockRestore();
  });
});

describe('a screen that breaks', () => {
  test('says so, and why', async () => {
    // React and the router report what was thrown; that it was is the point here.
    const report = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const router = createMemoryRouter([{ path: '/', element: <Broken />, errorElement: <Crash /> }]);
    render(
      <MantineProvider>
        <RouterProvider router={router} />
      </MantineProvider>,
    );
    expect(await screen.findByText('Unexpected Application Error!')).toBeTruthy();
    expect(screen.getByText('no such thing')).toBeTruthy();
    report.mockRestore();
  });
});
