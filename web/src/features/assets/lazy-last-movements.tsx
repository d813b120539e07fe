import { lazy, Suspense, type ComponentProps } from 'react';

const Card = lazy(async () => ({ default: (await import('./last-movements')).LastMovements }));

/** The last movements, which come after what the first screen has to show; nothing stands below them that would move. */
export function LastMovements(props: ComponentProps<typeof Card>) {
  return (
    <Suspense>
      <Card {...props} />
    </Suspense>
  );
}
