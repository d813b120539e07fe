import { Button } from '@mantine/core';
import { isRouteErrorResponse, Link, useRouteError } from 'react-router';
import { useAppSelector } from '../api';
import { paths } from './paths';
import { Screen } from './screen';

function reasonOf(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`;
  return error instanceof Error ? error.message : 'Unknown error';
}

/** What stands where a screen broke, or where there is none. Reloading also fetches code that a new version has replaced. */
export function Crash() {
  const error = useRouteError();
  const isNowhere = isRouteErrorResponse(error) && error.status === 404;
  return (
    <Screen title="Unexpected Application Error!" action={isNowhere ? <WayOut /> : <Reload />}>
      {reasonOf(error)}
      {isNowhere && '. There is nothing at this address. It may have been mistyped.'}
    </Screen>
  );
}

function Reload() {
  return <Button onClick={() => window.location.reload()}>Reload the page</Button>;
}

function WayOut() {
  const signedIn = useAppSelector((state) => state.session.user !== null);
  return signedIn ? (
    <Button component={Link} to={paths.dashboard}>
      Go to the dashboard
    </Button>
  ) : (
    <Button component="a" href={paths.site}>
      Go to the start page
    </Button>
  );
}
