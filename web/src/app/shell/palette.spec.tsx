import { describe, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import type { ReactElement, ReactNode } from 'react';
import type { RouteObject } from 'react-router';
import { sitePaths } from '#contracts';
import { adminRoutes, routes as calls } from '../../api';
import {
  accountOf,
  json,
  problem,
  renderApp,
  requestOf,
  serve,
  sessionOf,
  to,
  transferOf,
  withdrawalOf,
} from '../../testing';
import { Dialog } from '../../ui';
import { Forbidden } from '../forbidden';
import { paths } from '../paths';
import { routes } from '../routes';
import { NavigationContext, ofCustomers } from './navigation';
import { navigationOfAdmins } from './navigation-of-admins';
import { entriesOf, found, type Acts } from './palette-entries';
import Shell from './shell';

const amara = { userId: 'amara' };
const nothing: Acts = {
  go: () => undefined,
  choose: () => undefined,
  showShortcuts: () => undefined,
  logout: () => undefined,
};
const navigations = { user: ofCustomers, admin: navigationOfAdmins('owner') } as const;
const entriesFor = (role: 'user' | 'admin') =>
  entriesOf(navigations[role], sessionOf(role).user, 'auto', nothing);

/** The addresses whose screen the route table shows to a role, but for those of the public site. */
function openTo(role: 'user' | 'admin'): readonly string[] {
  const all = (table: readonly RouteObject[]): readonly RouteObject[] =>
    table.flatMap((route) => [route, ...all(route.children ?? [])]);
  const site: readonly string[] = Object.values(sitePaths);
  return all(routes).flatMap(({ path, element }) => {
    if (path === undefined || site.includes(path)) return [];
    const screens = (element as ReactElement<Partial<Record<typeof role, ReactElement>>>).props;
    return screens[role]?.type === Forbidden ? [] : [path];
  });
}

describe('the entries', () => {
  test('of a customer lead to every screen that the route table opens to customers, and to no other', () => {
    const led = entriesFor('user').flatMap((entry) => entry.to ?? []);
    const own = openTo('user').map((path) => path.replace(':userId', 'amara'));
    expect([...led].sort()).toEqual([...own].sort());
    expect(own).toContain(paths.withdraw);
    expect(own).not.toContain(paths.adminDashboard);
  });

  test('of an admin lead to what the route table opens to admins of no particular person', () => {
    const led = new Set(entriesFor('admin').map((entry) => entry.to));
    const own = openTo('admin').filter((path) => !path.includes(':') && path !== paths.adminDashboard);
    for (const path of own) expect(led).toContain(path);
    expect(led).not.toContain(paths.withdraw);
  });

  test.each([
    ['send', ['New transfer']],
    ['WITH hist', ['Withdrawal Request History']],
    ['fund account', ['New fund request']],
    ['sign out', ['Logout']],
    ['dark', ['Theme: Dark']],
    ['no such thing', []],
  ])('that are found by %j', (typed, labels) => {
    expect(found(entriesFor('user'), typed).map(({ label }) => label)).toEqual(labels);
  });
});

/** The frame with a field on its page, or with something else. */
function open(
  page: ReactNode = <input aria-label="Field" />,
  more: Parameters<typeof serve>[0] = {},
  role: 'user' | 'admin' = 'user',
) {
  const made = serve({
    [to(calls.live)]: () => new Response(new ReadableStream()),
    [to(calls.notifications, amara)]: () => json({ items: [], first: 1, next: null, previous: null }),
    [to(calls.account, amara)]: () => json(accountOf()),
    [to(calls.changePreferences, amara)]: () => json({ position: '7', message: 'ok' }),
    ...more,
  });
  const shown = renderApp(
    <NavigationContext value={navigations[role]}>
      <Shell>{page}</Shell>
    </NavigationContext>,
    { at: paths.dashboard, role },
  );
  return { ...shown, calls: made };
}
const field = () => screen.findByLabelText<HTMLInputElement>('Field');
const find = () => screen.findByRole('combobox', { name: 'Find a page or action' });
const active = () => {
  const id = screen.getByRole('combobox').getAttribute('aria-activedescendant');
  return id === null ? undefined : document.getElementById(id)?.textContent;
};
const isGone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
const hasFocus = (element: HTMLElement) => waitFor(() => expect(document.activeElement).toBe(element));

describe('the palette', () => {
  test('opens by its keys also from a field, closes by Escape, and gives the focus back', async () => {
    const { user } = open();
    await user.click(await field());
    await user.keyboard('{Control>}k{/Control}');
    await hasFocus(await find());
    await user.keyboard('{Escape}');
    await isGone();
    await hasFocus(await field());
    await user.keyboard('{Control>}k{/Control}');
    await hasFocus(await find());
    await user.keyboard('{Control>}k{/Control}');
    await isGone();
    expect((await field()).value).toBe('');
  });

  test('is gone through by arrows, and goes to what is chosen, where the focus then is', async () => {
    const { user, router } = open();
    await user.click(await screen.findByRole('button', { name: /^Find a page or action/ }));
    await hasFocus(await find());
    const list = screen.getByRole('listbox');
    expect((await find()).getAttribute('aria-controls')).toBe(list.id);
    expect(active()).toBe('New transfer');
    await user.keyboard('{ArrowDown}');
    expect(active()).toBe('New withdrawal');
    expect(within(list).getByRole('option', { selected: true }).textContent).toBe('New withdrawal');
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(active()).toBe(within(list).getAllByRole('option').at(-1)?.textContent);
    await user.keyboard('sett');
    expect(active()).toBe('Settings');
    await user.keyboard('{Enter}');
    await isGone();
    expect(router.state.location.pathname).toBe(paths.settings);
    await hasFocus(document.getElementById('content')!);
  });

  const ID = 'R'.repeat(34);
  const unknown = () => problem(404, 'request_not_found', 'There is no such request.');
  const none = () => json({ items: [], first: 1, next: null, previous: null });
  const at = { ...amara, requestId: ID };
  const kinds = (changes: Record<string, () => Response>) => ({
    [to(calls.fundRequest, at)]: unknown,
    [to(calls.withdrawal, at)]: unknown,
    [to(calls.transfer, at)]: unknown,
    [to(calls.receivedTransfers, amara)]: none,
    ...changes,
  });
  const paste = async (user: ReturnType<typeof open>['user']) => {
    await user.click(await field());
    await user.keyboard('{Control>}k{/Control}');
    await hasFocus(await find());
    await user.paste(` ${ID}\n`);
  };

  test.each([
    [
      'Fund request',
      { [to(calls.fundRequest, at)]: () => json(requestOf({ id: ID })) },
      '/fund-request-history/amara?request=',
    ],
    [
      'Withdrawal',
      { [to(calls.withdrawal, at)]: () => json(withdrawalOf({ id: ID })) },
      '/withdrawal-request-history/amara?request=',
    ],
    [
      'Transfer',
      { [to(calls.transfer, at)]: () => json(transferOf({ id: ID })) },
      '/transfer-history/amara?request=',
    ],
  ])('leads from the id of a %s to it', async (name, answers, place) => {
    const { user, router } = open(undefined, kinds(answers));
    await paste(user);
    await waitFor(() => expect(active()).toBe(`${name} ${ID}`));
    await user.keyboard('{Enter}');
    await isGone();
    const { pathname, search } = router.state.location;
    expect(pathname + search).toBe(place + ID);
  });

  test('leads from the id of a transfer that came to those received', async () => {
    const items = [{ id: ID }];
    const came = {
      [to(calls.receivedTransfers, amara)]: () => json({ items, first: 1, next: null, previous: null }),
    };
    const { user, router } = open(undefined, kinds(came));
    await paste(user);
    await waitFor(() => expect(active()).toBe(`Transfer received ${ID}`));
    await user.keyboard('{Enter}');
    expect(router.state.location.search).toBe('?tab=received');
  });

  test.each([
    ['Nothing of yours has this id.', {}],
    [
      'None of your requests has this id, nor any of the last 100 transfers that you received.',
      {
        [to(calls.receivedTransfers, amara)]: () =>
          json({ items: [], first: 1, next: 'more', previous: null }),
      },
    ],
    [
      'This id could not be looked up. Try again in a moment.',
      { [to(calls.transfer, at)]: () => problem(503, 'unavailable', 'x') },
    ],
  ])('says of an id: %s', async (words, answers) => {
    const { user } = open(undefined, kinds(answers));
    await paste(user);
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  test('leads an admin to anybody’s request, by the event that it began with', async () => {
    const events = [{ type: 'TransferRequested', stream: 'account-jonas' }];
    const { user, router } = open(
      undefined,
      { [to(adminRoutes.events)]: () => json({ items: events, first: 1, next: null, previous: null }) },
      'admin',
    );
    await paste(user);
    await waitFor(() => expect(active()).toBe(`Transfer ${ID}`));
    await user.keyboard('{Enter}');
    const { pathname, search } = router.state.location;
    expect(pathname + search).toBe(`/transfer-history/jonas?request=${ID}`);
  });

  test('says that nothing is called what was typed, and does nothing then', async () => {
    const { user, router } = open();
    await user.click(await field());
    await user.keyboard('{Control>}k{/Control}');
    await hasFocus(await find());
    await user.keyboard('zzz');
    expect(screen.getByText('Nothing is called that.').getAttribute('role')).toBe('status');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect((await find()).getAttribute('aria-expanded')).toBe('false');
    await user.keyboard('{ArrowDown}{Enter}');
    expect(router.state.location.pathname).toBe(paths.dashboard);
  });

  test('changes the theme, which is kept with the account', async () => {
    const { user, calls: made } = open();
    await user.click(await field());
    await user.keyboard('{Control>}k{/Control}');
    await hasFocus(await find());
    await user.keyboard('theme dark{Enter}');
    await isGone();
    const kept = () => made.filter(({ name }) => name === to(calls.changePreferences, amara));
    await waitFor(() => expect(kept().map(({ body }) => body)).toEqual([{ theme: 'dark' }]));
    expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe('dark');
  });

  test('stays shut over another dialog', async () => {
    const { user } = open(
      <Dialog title="Another" width={400} onClose={() => undefined}>
        <input aria-label="Field" />
      </Dialog>,
    );
    await user.click(await field());
    await user.keyboard('{Control>}k{/Control}?');
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
  });
});

describe('the list of shortcuts', () => {
  test('opens by ? outside of fields, and from the palette', async () => {
    const { user } = open();
    await user.click(await field());
    await user.keyboard('?');
    expect((await field()).value).toBe('?');
    expect(screen.queryByRole('dialog')).toBeNull();
    screen.getByRole('link', { name: 'Skip to content' }).focus();
    await user.keyboard('?');
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy();
    await user.keyboard('{Escape}');
    await isGone();
    await hasFocus(screen.getByRole('link', { name: 'Skip to content' }));
    await user.keyboard('{Control>}k{/Control}');
    await hasFocus(await find());
    await user.keyboard('shortcuts{Enter}');
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy();
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
  });

  test('does not open by ? where that is switched off', async () => {
    const { user } = open();
    (await screen.findByRole('link', { name: 'Skip to content' })).focus();
    await user.keyboard('?');
    await user.click(await screen.findByRole('checkbox', { name: 'Shortcuts of one key alone, as ?' }));
    await user.keyboard('{Escape}');
    await isGone();
    await user.keyboard('?');
    // What opens next is the palette, and it alone.
    await user.keyboard('{Control>}k{/Control}');
    await hasFocus(await find());
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
  });
});
