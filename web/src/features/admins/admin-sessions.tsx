import { Button } from '@mantine/core';
import { useState } from 'react';
import { detailOf } from '../../api';
import { ListCard, LoadFailed, Skeleton } from '../../ui';
import { useAdminsQuery } from '../approvals';
import { SessionsOf } from '../people';
import styles from './admins.module.css';

/**
 * How many admins are signed in, and where each is once somebody asks: that is noted of each of them, as whatever is shown of
 * a person.
 */
export function AdminSessions() {
  const { data, error, refetch } = useAdminsQuery();
  const [isShown, setShown] = useState(false);
  const signedIn = data?.admins.filter(({ signedInAt }) => signedInAt !== null) ?? [];
  return (
    <>
      <ListCard title="Sessions of admins">
        {data === undefined && error !== undefined ? (
          <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
        ) : (
          <div className={styles.sessions}>
            <p className="soft">
              {data === undefined ? (
                <Skeleton width="24ch" />
              ) : (
                `${signedIn.length} of ${data.admins.length} ${data.admins.length === 1 ? 'admin is' : 'admins are'} signed in.`
              )}
            </p>
            {!isShown && (
              <Button
                variant="default"
                size="xs"
                disabled={signedIn.length === 0}
                onClick={() => setShown(true)}
              >
                Show where
              </Button>
            )}
          </div>
        )}
      </ListCard>
      {isShown &&
        signedIn.map(({ userId, name }) => (
          <SessionsOf
            key={userId}
            title={`Sessions of ${name}`}
            account={{ userId, role: 'admin' }}
            name={name}
          />
        ))}
    </>
  );
}
