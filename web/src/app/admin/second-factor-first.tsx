import { lazy, useState, type ReactNode } from 'react';
import { api, everything, useAppDispatch, useAppSelector, useSecondFactorQuery } from '../../api';

/** Most admins have theirs, and need none of its code. */
const SecondFactorSetUp = lazy(() => import('./second-factor-set-up'));

/**
 * Shows an admin who needs a second factor first its set-up and nothing else, until the recovery codes are kept. The server
 * refuses such an admin everything else; this only chooses the screen.
 */
export default function SecondFactorFirst({ children }: { readonly children: ReactNode }) {
  const { data, isLoading } = useSecondFactorQuery();
  const expired = useAppSelector((state) => state.session.phase === 'expired');
  const dispatch = useAppDispatch();
  const [codes, setCodes] = useState<readonly string[]>();
  const goOn = () => {
    setCodes(undefined);
    // What was refused before is asked for anew.
    dispatch(api.util.invalidateTags([...everything]));
  };
  if (codes !== undefined || data?.isDue === true)
    return <SecondFactorSetUp codes={codes} onCodes={setCodes} onDone={goOn} />;
  // Whoever has to sign in again is asked to on the page itself; what was asked for waits for that.
  return isLoading && !expired ? null : children;
}
