import type { AccountView } from '#contracts';
import { Notice, When } from '../../ui';

const because = {
  password_reset: 'your password was reset',
  email_changed: 'your e-mail address was changed',
  second_factor_removed: 'your second factor was removed',
} as const;

/** Why no money leaves for a while, and until when; nothing where it may. */
export function MoneyWaits({ moneyOut }: Pick<AccountView, 'moneyOut'>) {
  if (moneyOut === null) return null;
  return (
    <Notice role="status" title="Money out waits">
      Because {because[moneyOut.why]}, no money can leave your account before <When iso={moneyOut.until} />.
      If it was not you, write to the operator before that.
    </Notice>
  );
}
