import { lazy, Suspense, type ComponentType } from 'react';

/** A part whose code comes with the first of them that is shown; what is around it stays meanwhile. */
export function later<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): ComponentType<Props> {
  const Part = lazy<ComponentType<Props>>(load);
  return function Later(props) {
    return (
      <Suspense>
        <Part {...props} />
      </Suspense>
    );
  };
}
