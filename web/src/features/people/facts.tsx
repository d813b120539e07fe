import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AccountView } from '#contracts';
import { Ago, Copy, When } from '../../ui';
import { AccountStatusWord } from './account-status';
import { useSessionsOfQuery } from './api';
import styles from './people.module.css';

type Props = {
  readonly account: AccountView;
  /** Ways to what else there is of this person. */
  readonly children?: ReactNode;
  /** Left out where there is no wallet to fund. */
  readonly onFund?: (() => void) | undefined;
};

/** Who somebody is, and what helps them. */
export function PersonHead({ account, children, onFund }: Props) {
  const { userId, firstname, lastname, role, totals, accountNumber, email, created } = account;
  const { data } = useSessionsOfQuery({ userId });
  const seen = data?.items
    .map(({ lastUsedAt }) => lastUsedAt)
    .sort()
    .at(-1);
  const name = `${firstname} ${lastname}`.trim();
  const waiting =
    totals.openRequests === 0
      ? 'No open requests'
      : `${totals.openRequests} open request${totals.openRequests === 1 ? '' : 's'}`;
  return (
    <section className={`card ${styles.person}`} aria-label={name}>
      <header>
        <span className={styles.face} aria-hidden="true">
          {firstname.slice(0, 1)}
          {lastname.slice(0, 1)}
        </span>
        <div>
          <h2>{name}</h2>
          <p className="soft num">{role === 'admin' ? 'Admin' : waiting}</p>
        </div>
        <div className={styles.acts}>
          {children}
          {onFund !== undefined && <Button onClick={onFund}>Fund Wallet</Button>}
        </div>
      </header>
      <dl>
        <Fact name="Account number">
          <span className="num">{accountNumber}</span>
          <Copy text={accountNumber} what="Account number" />
        </Fact>
        <Fact name="E-mail">
          <span className={styles.email}>{email}</span>
        </Fact>
        <Fact name="E-mail verified">{account.isEmailVerified ? 'Yes' : 'No'}</Fact>
        <Fact name="Status">
          <AccountStatusWord status={account.status} />
        </Fact>
        <Fact name="Since">
          <When iso={created} />
        </Fact>
        <Fact name="Last seen">{seen === undefined ? 'Not signed in' : <Ago iso={seen} />}</Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
