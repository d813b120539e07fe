import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from './paths';
import { Screen } from './screen';

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
