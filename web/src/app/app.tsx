import { MantineProvider } from '@mantine/core';
import { Suspense } from 'react';
import { Provider } from 'react-redux';
import { RouterProvider } from 'react-router/dom';
import { SessionProvider, type AppStore, type makeStore } from '../api';
import { cssVariablesResolver, theme, Toasts } from '../ui';
import type { makeRouter } from './routes';

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
            <Toasts />
          </Suspense>
        </MantineProvider>
      </SessionProvider>
    </Provider>
  );
}
