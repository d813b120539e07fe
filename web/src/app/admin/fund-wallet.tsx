import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { detailOf, useAccountQuery, useUser } from '../../api';
import { FundDialog, UserLog } from '../../features/people';
import { useAddress } from '../../lib';
import { LoadFailed } from '../../ui';
import { fundHistoryOf } from '../paths';
import { useScreen } from '../shell';

const names = ['search', 'status', 'customer'] as const;

/** `/auth/fund-account/dashboard` for an admin: whom, then how much. The chosen customer is in the address. */
export default function FundWallet() {
  useScreen('Fund Wallet');
  const { userId } = useUser();
  const { values, set } = useAddress(names);
  const { customer } = values;
  return (
    <>
      <UserLog
        word="Fund Wallet"
        customersOnly
        onOpen={(chosen) => set({ ...values, customer: chosen })}
        action={
          <Button component={Link} to={fundHistoryOf(userId)} variant="default">
            View Fund History
          </Button>
        }
      />
      {customer !== undefined && (
        <Chosen userId={customer} onClose={() => set({ ...values, customer: undefined })} />
      )}
    </>
  );
}

type ChosenProps = { readonly userId: string; readonly onClose: () => void };

function Chosen({ userId, onClose }: ChosenProps) {
  const { currentData: account, error, refetch } = useAccountQuery({ userId });
  if (account !== undefined) return <FundDialog account={account} onClose={onClose} />;
  return error && <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />;
}
