import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useAppSelector } from '../api';
import { paths } from './paths';
import { Screen } from './screen';

/** A page that does not exist. */
export function NotFound() {
  const signedIn = useAppSelector((state) => state.session.user !== null);
  return (
    <Screen
      title="Page not found"
      action={
        signedIn ? (
          <Button component={Link} to={paths.dashboard}>
            Go to the dashboard
          </Button>
        ) : (
          <Button component="a" href={paths.site}>
            Go to the start page
          </Button>
        )
      }
    >
      There is nothing at this address. It may have been mistyped.
    </Screen>
  );
}

/** A page that is there, but not for the person who is signed in. */
export function Forbidden() {
  return (
    <Screen
      title="Not open to you"
      action={
        <Button component={Link} to={paths.dashboard}>
          Go to the dashboard
        </Button>
      }
    >
      Your account has no access to this page.
    </Screen>
  );
}
