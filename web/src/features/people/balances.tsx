import CircleQuestionMark from 'lucide-react/icons/circle-question-mark';
import { paymentCurrencies, type AccountView, type Currency } from '#contracts';
import { isSettling, useAppSelector, usePricesQuery } from '../../api';
import { displayMoney, displayPrice, isZero } from '../../lib';
import styles from './people.module.css';

type Props = { readonly account: AccountView; readonly onWhy: (currency: Currency) => void };

/** What a customer has, and what of it is free; each balance leads to why it is so. */
export function Balances({ account, onWhy }: Props) {
  const prices = usePricesQuery().data?.prices;
  const settling = useAppSelector((state) => isSettling(state, account.userId));
  return (
    <section className={`card ${styles.balances}`} aria-label="Balances">
      <Balance name="Wallet" currency="USD" parts={account.wallet} onWhy={onWhy}>
        {settling ? 'updating' : ''}
      </Balance>
      {paymentCurrencies.map((currency) => (
        <Balance
          key={currency}
          name={currency}
          currency={currency}
          parts={account.balances[currency]}
          onWhy={onWhy}
        >
          {prices !== undefined && `at ${displayPrice(prices[currency])}`}
        </Balance>
      ))}
    </section>
  );
}

type BalanceProps = Pick<Props, 'onWhy'> & {
  readonly name: string;
  readonly currency: Currency;
  readonly parts: AccountView['wallet'];
  readonly children: string | false;
};

function Balance({ name, currency, parts, onWhy, children }: BalanceProps) {
  const figure = displayMoney(parts.balance, currency);
  return (
    <div className={styles.balance}>
      <h3 className="label">
        {name} <span className="faint num">{children}</span>
      </h3>
      <button type="button" className="num" onClick={() => onWhy(currency)}>
        <b>{figure}</b> <small className={currency === 'USD' ? '' : 'visually-hidden'}>{currency}</small>{' '}
        <span className={styles.hint}>
          <CircleQuestionMark className="icon small" />
          Why <span className="visually-hidden">this balance</span>
        </span>
      </button>
      <dl className="num">
        <div>
          <dt>Available</dt>
          <dd>{displayMoney(parts.available, currency)}</dd>
        </div>
        <div>
          <dt>On hold</dt>
          <dd className={isZero(parts.held) ? '' : styles.waits}>{displayMoney(parts.held, currency)}</dd>
        </div>
      </dl>
    </div>
  );
}
