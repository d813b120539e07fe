import { MantineProvider } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Provider } from 'react-redux';
import { RouterProvider } from 'react-router/dom';
import { SessionProvider, type AppStore, type makeStore } from '../api';
import { cssVariablesResolver, theme } from '../ui';
import type { makeRouter } from './routes';

/** The list of toasts, a live region; its code is asked for once the first screen is. */
const ToastContainer = lazy(async () => ({
  default: (await import('react-toastify/unstyled')).ToastContainer,
}));

/** The product's way of showing toasts. */
const TOAST_MS = 5_000;
const TOAST_DRAG_PERCENT = 80;

function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}

type Props = {
  readonly store: AppStore;
  readonly session: ReturnType<typeof makeStore>['session'];
  readonly router: ReturnType<typeof makeRouter>;
};

export function App({ store, session, router }: Props) {
  return (
    <Provider store={store}>
      <SessionProvider value={session}>
        <MantineProvider
          theme={theme}
          defaultColorScheme="auto"
          cssVariablesResolver={cssVariablesResolver}
          getStyleNonce={styleNonce}
        >
          <RouterProvider router={router} />
          <Suspense>
            <ToastContainer
              position="top-right"
              autoClose={TOAST_MS}
              draggable
              draggablePercent={TOAST_DRAG_PERCENT}
              pauseOnHover
              pauseOnFocusLoss
              aria-label="Notifications"
            />
          </Suspense>
        </MantineProvider>
      </SessionProvider>
    </Provider>
  );
}
