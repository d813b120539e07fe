import { Button } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import { useMay } from '../../features/duty';
import { UserLog } from '../../features/people';
import { paths, personAt } from '../paths';
import { useScreen } from '../shell';

/** `/auth/User/dashboard`. Who is looked for is in the address. */
export default function Users() {
  useScreen('User Management');
  const navigate = useNavigate();
  const mayCreate = useMay('look after people');
  return (
    <UserLog
      word="View"
      onOpen={(userId) => void navigate(personAt(userId))}
      action={
        mayCreate && (
          <Button component={Link} to={paths.createUser}>
            Create User
          </Button>
        )
      }
    />
  );
}
