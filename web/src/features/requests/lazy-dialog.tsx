import { lazy, Suspense, type ComponentProps } from 'react';

const Dialog = lazy(() => import('./request-dialog'));

/** The dialog of a request; its code comes with the first request that is opened, and the page stays meanwhile. */
export function RequestDialog(props: ComponentProps<typeof Dialog>) {
  return (
    <Suspense>
      <Dialog {...props} />
    </Suspense>
  );
}
