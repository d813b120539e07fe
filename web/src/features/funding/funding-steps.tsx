import type { PaymentCurrency } from '#contracts';
import { usePricesQuery } from '../../api';
import { displayPrice } from '../../lib';
import { NextSteps } from '../../ui';

/** What becomes of a fund request once it is sent. */
export function FundingSteps({ currency }: { readonly currency: PaymentCurrency }) {
  const { data } = usePricesQuery();
  const now = data === undefined ? '' : `, ${displayPrice(data.prices[currency])} USD now`;
  return (
    <NextSteps
      steps={[
        ['Pending', 'The admins have your request and its evidence. Your balance stays as it is.'],
        [
          'confirmed',
          `Your wallet goes up by the amount, and your ${currency} by the amount ÷ its price${now}. The price at that moment counts.`,
        ],
        ['or rejected', 'Nothing moves. If the admin gave a reason, your history shows it.'],
      ]}
    >
      A withdrawal never asks you for a payment first.
    </NextSteps>
  );
}
