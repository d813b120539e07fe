import { expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { routes } from '../../api';
import { renderApp, serve, sessionOf, to } from '../../testing';
import { Avatar } from './avatar';

const { user: somebody } = sessionOf('admin');
const name = 'Account of Marta';
const item = () => screen.findByRole('menuitem', { name: 'Logout' });
const isFocused = (element: HTMLElement) => waitFor(() => expect(document.activeElement).toBe(element));
const isGone = () => waitFor(() => expect(screen.queryByRole('menu')).toBeNull());

test.each(['{Enter}', '{ArrowDown}'])(
  '%s opens the menu on its first item, whose code comes then',
  async (key) => {
    const { user } = renderApp(<Avatar user={somebody} />, { role: 'admin' });
    const before = screen.getByRole('button', { name });
    expect(before.getAttribute('aria-haspopup')).toBe('menu');
    before.focus();
    await user.keyboard(key);
    await isFocused(await item());
    expect(screen.getByRole('button', { name, hidden: true }).getAttribute('aria-expanded')).toBe('true');
  },
);

test('Escape closes the menu and gives the focus back, and arrow down opens it again', async () => {
  const { user } = renderApp(<Avatar user={somebody} />, { role: 'admin' });
  await user.click(screen.getByRole('button', { name }));
  await isFocused(await item());
  await user.keyboard('{Escape}');
  await isGone();
  await isFocused(screen.getByRole('button', { name }));
  await user.keyboard('{ArrowDown}');
  await isFocused(await item());
  await user.keyboard('{Tab}');
  await isGone();
});

test('its item is chosen by the keyboard', async () => {
  const calls = serve({ [to(routes.signOut)]: () => new Promise(() => undefined) });
  const { user } = renderApp(<Avatar user={somebody} />, { role: 'admin' });
  await user.click(screen.getByRole('button', { name }));
  await isFocused(await item());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(calls.map((call) => call.name)).toEqual([to(routes.signOut)]));
});

test('is the profile image, and the first letter until that is there', async () => {
  Object.assign(URL, { createObjectURL: () => 'blob:face', revokeObjectURL: () => undefined });
  serve({ [to(routes.file, { fileId: 'f1' })]: () => new Response('image') });
  renderApp(<Avatar user={somebody} image={{ fileId: 'f1', mediaType: 'image/webp' }} />);
  const button = screen.getByRole('button', { name });
  expect(button.textContent).toBe(somebody.firstname.charAt(0));
  await waitFor(() => expect(button.querySelector('img')?.getAttribute('src')).toBe('blob:face'));
  expect(button.textContent).toBe('');
});
