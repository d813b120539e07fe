import { useMemo, type ReactNode } from 'react';
import { detailOf, useAppSelector } from '../../api';
import { DutyProvider, useOwnDuty } from '../../features/duty';
import { StepUp } from '../../features/step-up';
import { LoadFailed } from '../../ui';
import { NavigationContext, navigationOfAdmins } from '../shell';
import SecondFactorFirst from './second-factor-first';

/**
 * What every screen of an admin stands in: what their duty lets them do, and the navigation that goes with it, once they have
 * the second factor that they need.
 */
export default function AdminFrame({ children }: { readonly children: ReactNode }) {
  const { duty: known, isFetching, error, refetch } = useOwnDuty();
  const expired = useAppSelector((state) => state.session.phase === 'expired');
  // Whoever has to sign in again is asked to on the page itself, which until then has nothing to act with.
  const duty = known ?? 'auditor';
  const navigation = useMemo(() => navigationOfAdmins(duty), [duty]);
  return (
    <DutyProvider value={duty}>
      <NavigationContext value={navigation}>
        <SecondFactorFirst>
          {known !== undefined || expired ? (
            children
          ) : isFetching ? null : (
            <main className="card">
              <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
            </main>
          )}
        </SecondFactorFirst>
        <StepUp />
      </NavigationContext>
    </DutyProvider>
  );
}
