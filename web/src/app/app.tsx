import { MantineProvider } from '@mantine/core';
import { Provider } from 'react-redux';
import { RouterProvider } from 'react-router/dom';
import { ToastContainer } from 'react-toastify/unstyled';
import { SessionProvider, type AppStore, type makeStore } from '../api';
import { cssVariablesResolver, theme } from '../ui';
import type { makeRouter } from './routes';

/** The product's way of showing toasts; the list is a live region from the start. */
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
          <ToastContainer
            position="top-right"
            autoClose={TOAST_MS}
            draggable
            draggablePercent={TOAST_DRAG_PERCENT}
            pauseOnHover
            pauseOnFocusLoss
            aria-label="Notifications"
          />
        </MantineProvider>
      </SessionProvider>
    </Provider>
  );
}
