import { useEffect, useState } from 'react';
import { useSessionClient } from '../../api';
import { later } from '../../ui';

/** Its code comes with the first proof that is asked for. */
const StepUpDialog = later(() => import('./step-up-dialog'));

/** A proof that is asked for, with what it comes to. */
type Asked = { readonly outcome: Promise<boolean>; readonly end: (isProved: boolean) => void };

function ask(onEnd: () => void): Asked {
  const { promise: outcome, resolve } = Promise.withResolvers<boolean>();
  return {
    outcome,
    end: (isProved) => {
      onEnd();
      resolve(isProved);
    },
  };
}

/**
 * Asks an admin to prove again who they are whenever the service wants that before it does what was asked, which then goes on
 * by itself. Whoever asks for something waits for it; several ask once.
 */
export function StepUp() {
  const session = useSessionClient();
  const [asked, setAsked] = useState<Asked>();
  useEffect(() => {
    let underWay: Asked | undefined;
    session.proveBy(() => {
      underWay ??= ask(() => {
        underWay = undefined;
        setAsked(undefined);
      });
      setAsked(underWay);
      return underWay.outcome;
    });
    return () => {
      session.proveBy();
      underWay?.end(false);
    };
  }, [session]);
  return asked && <StepUpDialog onEnd={asked.end} />;
}
