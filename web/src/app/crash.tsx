import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { isRouteErrorResponse, Link, useRouteError } from 'react-router';
import { pathOf, routes, useAppSelector } from '../api';
import { pause } from '../lib';
import { Away } from './away';
import { paths } from './paths';
import { Screen } from './screen';

function reasonOf(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`;
  return error instanceof Error ? error.message : 'Unknown error';
}

/** What stands where a screen broke, or where there is none. Reloading also fetches code that a new version has replaced. */
export function Crash() {
  const error = useRouteError();
  const [goesOn] = useState(() => isUnfetched(error) && !wasReloaded());
  if (goesOn) return <AwayWithCode />;
  const isNowhere = isRouteErrorResponse(error) && error.status === 404;
  return (
    <Screen title="Unexpected Application Error!" action={isNowhere ? <WayOut /> : <Reload />}>
      {reasonOf(error)}
      {isNowhere && '. There is nothing at this address. It may have been mistyped.'}
    </Screen>
  );
}

/** What browsers and the build say of a screen's code that can't be fetched. */
const UNFETCHED = /dynamically imported module|module script failed|preload CSS/;

function isUnfetched(error: unknown): boolean {
  return error instanceof Error && UNFETCHED.test(error.message);
}

/** When this tab last loaded itself anew for want of code. Once is enough: what is missing then stays missing. */
const RELOADED_ITEM = 'lode-reloaded';
const RELOAD_AGAIN_MS = 60_000;

function wasReloaded(): boolean {
  return Date.now() - Number(sessionStorage.getItem(RELOADED_ITEM) ?? 0) < RELOAD_AGAIN_MS;
}

/** Between two looks whether the service answers, in milliseconds; each waits twice as long as the one before. */
const LOOK_MS_MIN = 2_000;
const LOOK_MS_MAX = 30_000;

/** The service went away before the code of this screen was there: the page is loaded anew once it answers. */
function AwayWithCode() {
  useEffect(() => {
    const left = new AbortController();
    void loadAnew(left.signal);
    return () => left.abort();
  }, []);
  return <Away />;
}

async function loadAnew(signal: AbortSignal): Promise<void> {
  for (let ms = LOOK_MS_MIN; !signal.aborted; ms = Math.min(2 * ms, LOOK_MS_MAX)) {
    const answer = await fetch(pathOf(routes.healthLive), { signal }).catch(() => undefined);
    if (answer?.ok === true) {
      sessionStorage.setItem(RELOADED_ITEM, String(Date.now()));
      window.location.reload();
      return;
    }
    await pause(ms, signal);
  }
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
