import type { PaymentCurrency } from '#contracts';
import { usePricesQuery } from '../../api';
import { displayPrice } from '../../lib';
import styles from './next-steps.module.css';

/** What becomes of a request once it is sent. */
export function NextSteps({ currency }: { readonly currency: PaymentCurrency }) {
  const { data } = usePricesQuery();
  const price = data && displayPrice(data.prices[currency]);
  return (
    <aside className={styles.steps} aria-labelledby="next">
      <h2 id="next">What happens next</h2>
      <ol>
        <li>
          <b>Pending</b>
          <span>The admins have your request and its evidence. Your balance stays as it is.</span>
        </li>
        <li>
          <b>confirmed</b>
          <span className="num">
            Your wallet goes up by the amount, and your {currency} by the amount ÷ its price
            {price !== undefined && `, ${price} USD now`}. The price at that moment counts.
          </span>
        </li>
        <li>
          <b>or rejected</b>
          <span>Nothing moves. If the admin gave a reason, your history shows it.</span>
        </li>
      </ol>
      <p>A withdrawal never asks you for a payment first.</p>
    </aside>
  );
}
