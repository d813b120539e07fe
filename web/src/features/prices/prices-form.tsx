import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { paymentChoices, type PaymentCurrency, type SettingsView } from '#contracts';
import { displayPrice } from '../../lib';
import { Form, FormActs, notifyInfo } from '../../ui';
import { ActDialog, Effect } from '../acts';
import { TakesSecond, WaitingChange } from '../approvals';
import { ForDuty } from '../duty';
import { LastChange, WithSettings } from '../setting';
import { useSetPricesMutation } from './api';

const PRICE = /^\d{1,16}(?:\.\d{1,8})?$/;
const INVALID = 'Please enter a price above 0 with at most 8 decimals.';

type Prices = Readonly<Record<PaymentCurrency, string>>;
type Changed = Partial<Record<PaymentCurrency, string>>;

/** What one unit of each currency costs in US dollars, and a change of it with a reason. */
export function PricesForm() {
  return <WithSettings>{(settings) => <Fields settings={settings} />}</WithSettings>;
}

function typedOf(prices: Prices): Prices {
  return Object.fromEntries(
    Object.entries(prices).map(([currency, price]) => [currency, plain(price)]),
  ) as Prices;
}

/** A price without the zeros at its end. */
function plain(price: string): string {
  return price.includes('.') ? price.replace(/\.?0+$/, '') : price;
}

function Fields({ settings }: { readonly settings: SettingsView }) {
  const { prices } = settings;
  const { register, handleSubmit, formState, reset } = useForm<Prices>({ defaultValues: typedOf(prices) });
  const { dirtyFields, errors } = formState;
  const [asked, setAsked] = useState<{ readonly changed: Changed; readonly typed: Prices }>();
  const submit = handleSubmit((typed) => {
    const names = paymentChoices.filter(
      (currency) =>
        dirtyFields[currency] === true && plain(typed[currency].trim()) !== plain(prices[currency]),
    );
    const changed = Object.fromEntries(names.map((currency) => [currency, typed[currency].trim()]));
    if (names.length === 0) notifyInfo('Nothing was changed.');
    else setAsked({ changed, typed });
  });
  return (
    <>
      <ForDuty act="set prices">
        <Form label="Prices" onSubmit={submit}>
          {paymentChoices.map((currency) => (
            <TextInput
              key={currency}
              label={`${currency}, US dollars for one`}
              inputMode="decimal"
              autoComplete="off"
              error={errors[currency]?.message}
              {...register(currency, { validate: (text) => PRICE.test(text.trim()) || INVALID })}
            />
          ))}
          <WaitingChange part="prices" />
          <FormActs submit="Set prices" busy={false}>
            <LastChange settings={settings} part="prices" />
          </FormActs>
        </Form>
      </ForDuty>
      {asked !== undefined && (
        <Review
          prices={prices}
          changed={asked.changed}
          onDone={() => reset(asked.typed)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

type ReviewProps = {
  readonly prices: Prices;
  readonly changed: Changed;
  readonly onDone: () => void;
  readonly onClose: () => void;
};

function Review({ prices, changed, onDone, onClose }: ReviewProps) {
  const [send] = useSetPricesMutation();
  const rows = paymentChoices.flatMap((currency) => {
    const after = changed[currency];
    if (after === undefined) return [];
    return [{ name: `${currency}, USD`, before: displayPrice(prices[currency]), after: displayPrice(after) }];
  });
  return (
    <ActDialog
      title="Set prices"
      act="Set prices"
      reason="needed"
      about={changed}
      send={({ reason = '', ...input }) => send({ prices: changed, reason, ...input })}
      failed="Something went wrong."
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        Whatever is booked once they are set goes by these prices. What was booked keeps its own, and what
        open requests have set aside stays.
      </p>
      <TakesSecond part="prices" />
      <Effect caption="What changes" rows={rows} />
    </ActDialog>
  );
}
