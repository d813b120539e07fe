import type { BonusPreview } from '#contracts';
import { displayMoney, exactMoney } from '../../lib';
import { Skeleton, When } from '../../ui';
import styles from './bonus-preview.module.css';

/** What a run of the tick would pay in all, when, and whom it can't pay. */
export function BonusSum({ preview }: { readonly preview: BonusPreview | undefined }) {
  if (preview === undefined) return <Skeleton width="32ch" />;
  const { at, policy, sum } = preview;
  return (
    <p role="status" className={styles.sum}>
      {!sum.isWhole && 'At least '}
      <b className="num">{displayMoney(sum.amount, 'USD')} USD</b>{' '}
      <span className="soft num">
        ({exactMoney(sum.converted, policy.currency)} {policy.currency})
      </span>{' '}
      to {sum.accounts} {sum.accounts === 1 ? 'account' : 'accounts'} for {sum.days}{' '}
      {sum.days === 1 ? 'day' : 'days'}, <When iso={at} />.
      {sum.refused > 0 && ` ${sum.refused} can’t take it: they would have more than an account holds.`}
    </p>
  );
}
