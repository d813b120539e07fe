import Bitcoin from 'lucide-react/icons/bitcoin';
import { paymentChoices, type AccountView, type PaymentCurrency } from '#contracts';
import { displayMoney, isZero } from '../../lib';
import { Skeleton } from '../../ui';
import { symbolOf } from './currency';
import styles from './assets.module.css';

type Props = {
  readonly account: AccountView | undefined;
  readonly onOpen: (currency: PaymentCurrency) => void;
};

/** A wallet of each currency that requests are paid in; each opens its transactions. */
export function WalletCards({ account, onOpen }: Props) {
  if (account === undefined) {
    return (
      <>
        <ul className={styles.cards} aria-hidden="true">
          {paymentChoices.map((currency) => (
            <li key={currency} className="card">
              <div className={styles.wallet}>
                <span className={styles.name}>
                  <CurrencySign currency={currency} />
                  {currency}
                </span>
                <span className={styles.balance}>
                  <Skeleton width="6ch" />
                </span>
                <Skeleton width="16ch" />
              </div>
            </li>
          ))}
        </ul>
        <p role="status" className={styles.loading}>
          Loading wallet data...
        </p>
      </>
    );
  }
  return (
    <ul className={styles.cards}>
      {paymentChoices.map((currency) => {
        const { balance, available, held } = account.balances[currency];
        return (
          <li key={currency} className="card">
            <button type="button" className={styles.wallet} onClick={() => onOpen(currency)}>
              <span className={styles.name}>
                <CurrencySign currency={currency} />
                {currency}
              </span>
              <span className={`num ${styles.balance}`}>{displayMoney(balance, currency)}</span>
              <span className="soft num">
                {displayMoney(available, currency)} available
                {!isZero(held) && `, ${displayMoney(held, currency)} on hold`}
              </span>
              <span className={`action ${styles.more}`}>Transactions</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** The sign of a currency in a ring. That of bitcoin is drawn: many machines have no letter for it, and would show a box. */
function CurrencySign({ currency }: { readonly currency: PaymentCurrency }) {
  const isDrawn = currency === 'BTC';
  return (
    <span className={styles.symbol} aria-hidden="true">
      {isDrawn && <Bitcoin className="icon" />}
      <span className={isDrawn ? 'visually-hidden' : undefined}>{symbolOf(currency)}</span>
    </span>
  );
}
