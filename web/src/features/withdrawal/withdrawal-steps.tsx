import { NextSteps } from '../../ui';

/** What becomes of a withdrawal once it is asked for. */
export function WithdrawalSteps() {
  return (
    <NextSteps
      steps={[
        [
          'Pending',
          'The amount is put on hold at once and can’t be spent twice. You can’t take it back yourself; an admin can reject it.',
        ],
        ['confirmed', 'It has left your wallet and is paid out to the address of the request.'],
        ['or rejected', 'The hold is released. The reason is shown in your Withdrawal Request History.'],
      ]}
    >
      A withdrawal never asks you for a payment first.
    </NextSteps>
  );
}
