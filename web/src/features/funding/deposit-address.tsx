import type { ReactNode } from 'react';
import type { PaymentCurrency, WalletNetwork } from '#contracts';
import { detailOf, useDepositAddressesQuery } from '../../api';
import { Copy, LoadFailed, Skeleton, Qr } from '../../ui';
import { networkName } from '../forms';
import styles from './deposit-address.module.css';

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
  const known = error === undefined ? data : undefined;
  const address = known?.addresses[currency];
  return (
    <section className={styles.deposit} aria-labelledby="deposit">
      <h2 id="deposit" className="label">
        Pay to this address first
      </h2>
      {data === undefined && error === undefined && (
        <div className={styles.address}>
          <span className={`skeleton ${styles.code ?? ''}`} aria-hidden="true" />
          <dl>
            <dt>
              <Skeleton width="18ch" />
            </dt>
            <dd>
              <Skeleton width="100%" />
            </dd>
            <dt>
              <Skeleton width="8ch" />
            </dt>
            <dd>
              <Skeleton width="12ch" />
            </dd>
          </dl>
          <p>
            <Skeleton width="44ch" />
          </p>
        </div>
      )}
      {error !== undefined && <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />}
      {address === null && (
        <p role="status">
          There is no deposit address for {currency} yet. Don’t send anything: choose another currency, or ask
          the operator. {support}
        </p>
      )}
      {known !== undefined && address !== null && address !== undefined && (
        <Address currency={currency} address={address} network={known.networks[currency]} />
      )}
    </section>
  );
}

type AddressProps = {
  readonly currency: PaymentCurrency;
  readonly address: string;
  readonly network: WalletNetwork;
};

function Address({ currency, address, network }: AddressProps) {
  const name = networkName(currency, network);
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
          <b>{name}</b>
        </dd>
      </dl>
      <p className="soft">
        {network === 'none'
          ? `Send no ${currency} before you know the network. What comes over another one is lost.`
          : `Send ${currency} over ${name} only. What comes over another network is lost.`}
      </p>
    </div>
  );
}
