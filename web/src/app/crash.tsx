import { Button } from '@mantine/core';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { Screen } from './screen';

function reasonOf(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`;
  return error instanceof Error ? error.message : 'Unknown error';
}

/** What stands where a screen broke. Reloading also fetches code that a new version has replaced. */
export function Crash() {
  const error = useRouteError();
  return (
    <Screen
      title="Unexpected Application Error!"
      action={<Button onClick={() => window.location.reload()}>Reload the page</Button>}
    >
      {reasonOf(error)}
    </Screen>
  );
}
