import { lazy, Suspense, type ComponentProps } from 'react';

const Panel = lazy(async () => ({ default: (await import('./why-panel')).WhyPanel }));

/** The panel of a balance; its code comes with the first balance that is asked about, and the page stays meanwhile. */
export function WhyPanel(props: ComponentProps<typeof Panel>) {
  return (
    <Suspense>
      <Panel {...props} />
    </Suspense>
  );
}
