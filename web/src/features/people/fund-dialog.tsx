import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { paymentCurrencies, type AccountView, type PaymentCurrency } from '#contracts';
import { usePricesQuery } from '../../api';
import { displayMoney, displayPrice } from '../../lib';
import { LoadFailed, Skeleton } from '../../ui';
import { ActDialog } from '../acts';
import { stepWords, useNeeded } from '../approvals';
import { amountsOf, effectOf, problemOf, type Typed } from './adjustment';
import { useAdjustWalletMutation } from './api';
import styles from './people.module.css';

type Props = { readonly account: AccountView; readonly onClose: () => void };

/** Credits or debits a customer's wallet by hand: a row a currency, and the wallet as their sum. */
export function FundDialog({ account, onClose }: Props) {
  const { userId, firstname, lastname, accountNumber } = account;
  const [typed, setTyped] = useState<Typed>({});
  const prices = usePricesQuery();
  const [adjust] = useAdjustWalletMutation();
  const amounts = amountsOf(typed);
  const needed = useNeeded(amounts);
  const steps = stepWords({ given: 0, needed });
  const isSendable =
    Object.keys(amounts).length > 0 &&
    Object.values(typed).every((text) => problemOf(text) === undefined) &&
    prices.data !== undefined;
  return (
    <ActDialog
      title="Fund Wallet"
      act={needed > 1 ? 'Ask a second admin' : 'Update wallet'}
      reason="needed"
      ready={isSendable}
      about={amounts}
      send={({ idempotencyKey, reason = '' }) => adjust({ userId, amounts, reason, idempotencyKey })}
      failed="Failed to update the wallet."
      onClose={onClose}
    >
      <p>
        <b>
          {firstname} {lastname}
        </b>
        <span className="soft num">, account {accountNumber}</span>
      </p>
      {prices.data === undefined && prices.error !== undefined ? (
        <LoadFailed onRetry={() => void prices.refetch()} />
      ) : (
        <Rows
          account={account}
          typed={typed}
          prices={prices.data?.prices}
          onType={(currency, text) => setTyped({ ...typed, [currency]: text })}
        />
      )}
      <p className="soft">US dollars. A minus debits; what is zero or empty is skipped.</p>
      {steps !== undefined && <p className={styles.steps}>{steps}</p>}
    </ActDialog>
  );
}

type RowsProps = {
  readonly account: AccountView;
  readonly typed: Typed;
  readonly prices: Parameters<typeof effectOf>[2] | undefined;
  readonly onType: (currency: PaymentCurrency, text: string) => void;
};

function Rows({ account, typed, prices, onType }: RowsProps) {
  const effect = prices && effectOf(account, amountsOf(typed), prices);
  const figure = (currency: PaymentCurrency | 'USD', when: 'before' | 'after') =>
    effect ? displayMoney(effect[currency][when], currency) : <Skeleton width="6ch" />;
  return (
    <table className={styles.adjustment}>
      <caption className="visually-hidden">What each balance is now, and what it will be</caption>
      <thead>
        <tr>
          <th scope="col">Currency</th>
          <th scope="col">Amount, USD</th>
          <th scope="col">Now</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {paymentCurrencies.map((currency) => (
          <tr key={currency}>
            <th scope="row">
              {currency}
              {prices && <small className="faint num"> at {displayPrice(prices[currency])}</small>}
            </th>
            <td>
              <TextInput
                aria-label={`Amount in ${currency}, USD`}
                inputMode="text"
                autoComplete="off"
                classNames={{ input: 'num' }}
                value={typed[currency] ?? ''}
                error={problemOf(typed[currency] ?? '')}
                onChange={({ currentTarget: { value } }) => onType(currency, value)}
              />
            </td>
            <td className="num soft">{figure(currency, 'before')}</td>
            <td className="num">{figure(currency, 'after')}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            Wallet, USD
          </th>
          <td className="num soft">{figure('USD', 'before')}</td>
          <td className="num">
            <b>{figure('USD', 'after')}</b>
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
