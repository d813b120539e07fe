import { Button } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import { Admins } from '../../features/admins';
import { paths, personAt } from '../paths';
import { useScreen } from '../shell';
import styles from './products.module.css';

/** `/auth/admins/dashboard` */
export default function AdminsScreen() {
  useScreen('Admins');
  const navigate = useNavigate();
  return (
    <>
      <div className={styles.head}>
        <Button component={Link} to={paths.invitations} variant="default">
          Invitations
        </Button>
      </div>
      <Admins onOpen={(userId) => void navigate(personAt(userId))} />
    </>
  );
}
