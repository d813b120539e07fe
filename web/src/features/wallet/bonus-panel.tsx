import type { AccountView } from '#contracts';
import { displayMoney } from '../../lib';
import { Skeleton, When } from '../../ui';
import styles from './bonus-panel.module.css';

/** `0.10` as a percentage: hundredths, without the zeros that say nothing. */
export function percentOf(rate: string): string {
  const [whole = '0', fraction = ''] = rate.split('.');
  const digits = `${whole}${fraction.padEnd(4, '0')}`;
  const [before, after] = [digits.slice(0, -2), digits.slice(-2).replace(/0+$/, '')];
  return `${String(Number(before))}${after === '' ? '' : `.${after}`} %`;
}

/** As high as the panel while it is not known whether there is one: whoever has paid in has one. */
export function BonusComing() {
  return (
    <div className={styles.bonus} aria-hidden="true">
      <span className="label">
        <Skeleton width="16ch" />
      </span>
      <div className={styles.meter} />
      <p>
        <Skeleton width="80%" />
      </p>
      <span className={styles.more}>
        <Skeleton width="18ch" />
      </span>
    </div>
  );
}

/** The promotional bonus: what it is, who pays it, how it is worked out, what came and what comes. */
export function BonusPanel({ account }: { readonly account: AccountView }) {
  const { bonus, bonusTerms, totals } = account;
  if (bonus === null || bonusTerms === null) return null;
  const { capDays, rate, currency, dueAt } = bonusTerms;
  const paid = Math.min(bonus.bonusDays, capDays);
  return (
    <section className={styles.bonus} aria-label="Promotional bonus">
      <h3 className="label">Promotional bonus</h3>
      <div
        className={styles.meter}
        role="meter"
        aria-label="Days of this cycle that are paid"
        aria-valuemin={0}
        aria-valuemax={capDays}
        aria-valuenow={paid}
        aria-valuetext={`${paid} of ${capDays} days`}
      >
        <i style={{ width: `${(paid / Math.max(capDays, 1)) * 100}%` }} />
      </div>
      <p className="num">
        {paid} of {capDays} days. Paid by the operator, not by mining.
      </p>
      <details>
        <summary className="action">How it is worked out</summary>
        <p>
          {percentOf(rate)} of the wallet for each day, {capDays} days a cycle at most, booked in {currency}.
          The operator can change or end it.
        </p>
        <p>
          This cycle: <When iso={bonus.startDate} /> to <When iso={bonus.endDate} />.
        </p>
        <p className="num">Came so far: {displayMoney(totals.bonus, 'USD')} USD.</p>
        <p>
          {dueAt === null ? (
            'This cycle pays nothing more.'
          ) : (
            <>
              Comes next: not before <When iso={dueAt} />.
            </>
          )}
        </p>
      </details>
    </section>
  );
}
