import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { RequestDesk, transferDesk } from '../../features/desk';
import { paths } from '../paths';
import { OfAnyone } from './of-anyone';

/** `/transfer-history/:userId` for an admin. */
export default function Transfers() {
  return (
    <OfAnyone title="Transfer History">
      {(userId) => (
        <RequestDesk
          kind={transferDesk}
          userId={userId}
          before={
            <Button component={Link} variant="default" size="xs" to={paths.dashboard}>
              Back
            </Button>
          }
        />
      )}
    </OfAnyone>
  );
}
