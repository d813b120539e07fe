import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { routes } from '../../api';
import { accountOf, json, renderApp, serve, to } from '../../testing';
import Shell from './shell';

const amara = { userId: 'amara' };

test.each(['{Escape}', '{Enter}'])(
  'the button of a phone’s menu has the focus again after %s',
  async (key) => {
    serve({
      [to(routes.live)]: () => new Response(new ReadableStream()),
      [to(routes.notifications, amara)]: () => json({ items: [], first: 1, next: null, previous: null }),
      [to(routes.account, amara)]: () => json(accountOf()),
    });
    const { user } = renderApp(<Shell>Nothing</Shell>);
    const button = await screen.findByRole('button', { name: 'Menu' });
    await user.click(button);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close menu' }));
    await user.keyboard(key);
    expect(button.getAttribute('aria-expanded')).toBe('false');
    expect(document.activeElement).toBe(button);
  },
);
