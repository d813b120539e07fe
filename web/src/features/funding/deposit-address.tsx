import type { ReactNode } from 'react';
import type { PaymentCurrency } from '#contracts';
import { detailOf, useDepositAddressesQuery } from '../../api';
import { Copy, LoadFailed, Skeleton, Qr } from '../../ui';
import styles from './deposit-address.module.css';

/** What a deposit travels over: sent over another network it is lost. */
const networks: Readonly<Record<string, string>> = {
  BTC: 'Bitcoin',
  USDT: 'Ethereum (ERC-20)',
  PI: 'Pi Network',
};

type Props = {
  readonly currency: PaymentCurrency;
  /** How to ask the operator, where there is no address. */
  readonly support: ReactNode;
};

/** Where a deposit of a currency goes. */
export function DepositAddress({ currency, support }: Props) {
  const { data, error, refetch } = useDepositAddressesQuery(undefined, {
    // Nobody tells customers' pages of settings that change, and money sent to an old address may be lost.
    refetchOnMountOrArgChange: true,
    refetchOnFocus: true,
  });
  // An address that could not be looked up again is not shown either: it may not be in force any more.
  const address = error === undefined ? data?.addresses[currency] : undefined;
  return (
    <section className={styles.deposit} aria-labelledby="deposit">
      <h2 id="deposit" className="label">
        Pay to this address first
      </h2>
      {data === undefined && error === undefined && <Skeleton width="28ch" />}
      {error !== undefined && <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />}
      {address === null && (
        <p role="status">
          There is no deposit address for {currency} yet. Don’t send anything: choose another currency, or ask
          the operator. {support}
        </p>
      )}
      {address !== null && address !== undefined && <Address currency={currency} address={address} />}
    </section>
  );
}

function Address({ currency, address }: { readonly currency: PaymentCurrency; readonly address: string }) {
  const network = networks[currency] ?? currency;
  return (
    <div className={styles.address}>
      <Qr text={address} label={`QR code of the ${currency} deposit address`} />
      <dl>
        <dt>{currency} deposit address</dt>
        <dd className={styles.copied}>
          <span className="code">{address}</span>
          <Copy text={address} what="Deposit address" />
        </dd>
        <dt>Network</dt>
        <dd>
          <b>{network}</b>
        </dd>
      </dl>
      <p className="soft">
        Send {currency} over {network} only. What comes over another network is lost.
      </p>
    </div>
  );
}
