import { MantineProvider } from '@mantine/core';
import { expect } from '@jest/globals';
import { act, render, waitFor } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { Suspense, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { ToastContainer } from 'react-toastify/unstyled';
import type { Duty } from '#contracts';
import { api, changed, makeStore, SessionProvider } from '../api';
import { DutyProvider } from '../features/duty';
import { theme } from '../ui';
import { requestOf, sessionOf } from './builders';

type Options = {
  readonly role?: 'user' | 'admin';
  /** Of an admin. */
  readonly duty?: Duty;
  readonly at?: string;
  /** False for a page that has just been loaded. */
  readonly isSignedIn?: boolean;
};

/** Renders a screen as somebody signed in, with the store that ships and an address that can be read. */
export function renderApp(
  ui: ReactNode,
  { role = 'user', duty = 'owner', at = '/', isSignedIn = true }: Options = {},
) {
  const { store, session } = makeStore();
  if (isSignedIn) session.adopt(sessionOf(role));
  const screen = role === 'admin' ? <DutyProvider value={duty}>{ui}</DutyProvider> : ui;
  const router = createMemoryRouter([{ path: '*', element: <Suspense>{screen}</Suspense> }], {
    initialEntries: [at],
  });
  const { unmount } = render(
    <Provider store={store}>
      <SessionProvider value={session}>
        <MantineProvider theme={theme} env="test">
          <RouterProvider router={router} />
          <ToastContainer />
        </MantineProvider>
      </SessionProvider>
    </Provider>,
  );
  /** What the live stream does when a request changed. */
  const announceRequests = () =>
    act(() => {
      store.dispatch(api.util.invalidateTags([...changed('requests', requestOf().id)]));
    });
  return { store, session, router, announceRequests, unmount, user: patient(userEvent.setup()) };
}

/** Somebody who presses what can be pressed: a form tells what came of it a moment before its button is there again. */
function patient(user: UserEvent): UserEvent {
  const click: UserEvent['click'] = async (element) => {
    if (element instanceof HTMLButtonElement) await waitFor(() => expect(element.disabled).toBe(false));
    await user.click(element);
  };
  return { ...user, click };
}
