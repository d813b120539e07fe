import type { ReactNode } from 'react';
import { NextSteps } from '../../ui';

/** What becomes of a transfer once it is asked for. */
export function TransferSteps({ children }: { readonly children: ReactNode }) {
  return (
    <NextSteps
      steps={[
        [
          'Pending',
          'The amount is put on hold at once and can’t be spent twice. You can’t take it back yourself; an admin can reject it.',
        ],
        [
          'confirmed',
          'It leaves your wallet. To a customer here it arrives a moment later, and both of you get a record; to a bank it is paid out.',
        ],
        ['or rejected', 'The hold is released. The reason is shown in your Transfer History.'],
      ]}
    >
      No admin ever asks for your pin, and no transfer asks you for a payment first. {children}
    </NextSteps>
  );
}
