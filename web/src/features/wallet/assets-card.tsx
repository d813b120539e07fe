import ChevronDown from 'lucide-react/icons/chevron-down';
import { Fragment } from 'react';
import { mainPaymentCurrency, paymentCurrencies, type AccountView, type PaymentCurrency } from '#contracts';
import { displayMoney } from '../../lib';
import { Skeleton } from '../../ui';
import { BonusComing, BonusPanel } from './bonus-panel';
import styles from './cards.module.css';

const others = paymentCurrencies.filter((currency) => currency !== mainPaymentCurrency);

type Props = {
  readonly account: AccountView | undefined;
  readonly onWhy: (currency: PaymentCurrency) => void;
};

/** The balances in the currencies that requests are paid in; each opens its why-panel. */
export function AssetsCard({ account, onWhy }: Props) {
  const figure = (currency: PaymentCurrency) => {
    if (account === undefined)
      return (
        <span className={styles.figure}>
          <Skeleton width="6ch" />
        </span>
      );
    const shown = displayMoney(account.balances[currency].balance, currency);
    return (
      <button
        type="button"
        className={`num ${styles.figure}`}
        aria-label={`${shown} ${currency}. Why this balance?`}
        onClick={() => onWhy(currency)}
      >
        {shown}
      </button>
    );
  };
  return (
    <section className={`card ${styles.side}`} aria-label="Total Asset Balance">
      <h2 className="label">Total Asset Balance</h2>
      <p className={styles.middle}>
        {figure(mainPaymentCurrency)} <small>{mainPaymentCurrency}</small>
      </p>
      <details className={styles.details} open>
        <summary className="action">
          <ChevronDown className="icon small" />
          Details
        </summary>
        <dl>
          {others.map((currency) => (
            <Fragment key={currency}>
              <dt>{currency}</dt>
              <dd>{figure(currency)}</dd>
            </Fragment>
          ))}
        </dl>
      </details>
      {account === undefined ? <BonusComing /> : <BonusPanel account={account} />}
    </section>
  );
}
