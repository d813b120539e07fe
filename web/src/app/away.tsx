import { Button } from '@mantine/core';
import { paths } from './paths';
import { Screen } from './screen';

/** What stands while the service can't answer: it is asked again by itself, and the page then goes on where it was. */
export function Away({ why = 'away' }: { readonly why?: 'away' | 'crowded' }) {
  if (why === 'crowded')
    return (
      <Screen title="Too many requests" action={null}>
        More requests came from your network than the service takes in a minute. This page goes on by itself
        once it answers.
      </Screen>
    );
  return (
    <Screen
      title="Lode is away for a moment"
      action={
        <Button component="a" href={paths.status} variant="default">
          See the status page
        </Button>
      }
    >
      The service is being maintained, or can’t be reached. This page goes on by itself once it answers.
    </Screen>
  );
}
