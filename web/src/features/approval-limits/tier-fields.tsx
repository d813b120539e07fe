import { Button, TextInput } from '@mantine/core';
import type { PaymentCurrency } from '#contracts';
import { amountProblem, bounds, wholeProblem, type TypedTier } from './limits';
import styles from './approval-limits.module.css';

type Props = {
  readonly currency: PaymentCurrency;
  readonly tiers: readonly TypedTier[];
  /** Somebody tried to send it: what is wrong is said. */
  readonly isTold: boolean;
  readonly onChange: (tiers: readonly TypedTier[]) => void;
};

/** The limits of one currency, from the lowest amount to the highest. */
export function TierFields({ currency, tiers, isTold, onChange }: Props) {
  const { max } = bounds.approvals;
  const add = () => onChange([...tiers, { above: '', approvals: String(Math.min(tiers.length + 2, max)) }]);
  return (
    <fieldset className={styles.currency}>
      <legend className="lode-label">{currency}</legend>
      {tiers.length === 0 && <p className="soft">No limit: one admin decides.</p>}
      {tiers.map((tier, n) => (
        <Tier
          key={n}
          name={`${currency}, limit ${n + 1}`}
          tier={tier}
          isTold={isTold}
          onChange={(changed) => onChange(tiers.with(n, changed))}
          onRemove={() => onChange(tiers.toSpliced(n, 1))}
        />
      ))}
      {tiers.length < bounds.tiers.max && (
        <Button variant="default" size="xs" aria-label={`Add a limit for ${currency}`} onClick={add}>
          Add a limit
        </Button>
      )}
    </fieldset>
  );
}

type TierProps = Pick<Props, 'isTold'> & {
  readonly name: string;
  readonly tier: TypedTier;
  readonly onChange: (tier: TypedTier) => void;
  readonly onRemove: () => void;
};

function Tier({ name, tier, isTold, onChange, onRemove }: TierProps) {
  return (
    <div className={styles.tier} role="group" aria-label={name}>
      <TextInput
        label="Above, USD"
        inputMode="decimal"
        autoComplete="off"
        classNames={{ input: 'num' }}
        value={tier.above}
        error={isTold && amountProblem(tier.above)}
        onChange={({ currentTarget: { value } }) => onChange({ ...tier, above: value })}
      />
      <TextInput
        label="Admins who approve"
        inputMode="numeric"
        autoComplete="off"
        classNames={{ input: 'num' }}
        value={tier.approvals}
        error={isTold && wholeProblem('approvals', tier.approvals)}
        onChange={({ currentTarget: { value } }) => onChange({ ...tier, approvals: value })}
      />
      <Button variant="subtle" aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </Button>
    </div>
  );
}
