import type { ReceivedTransferView } from '#contracts';
import { displayMoney, exactMoney } from '../../lib';
import { Copyable, Dialog, When } from '../../ui';
import { Facts } from './fact-list';
import { groupedAccount, type Fact } from './facts';
import styles from './request-dialog.module.css';

/** In pixels. */
const WIDTH = 560;

type Props = { readonly transfer: ReceivedTransferView; readonly onClose: () => void };

/** One transfer as its receiver sees it. */
export default function ReceivedDialog({ transfer, onClose }: Props) {
  const { id, from, amount, currency, converted, narration, receivedAt } = transfer;
  const facts: readonly Fact[] = [
    ['Received', <When iso={receivedAt} />],
    ['From', from.accountName],
    // Who was erased has none any more.
    ...(from.accountNumber === ''
      ? []
      : [
          [
            'Account number',
            <Copyable
              text={from.accountNumber}
              shown={groupedAccount(from.accountNumber)}
              what="Account number"
            />,
          ] as const,
        ]),
    [
      'Amount',
      <span className="num">
        <b>{displayMoney(amount, 'USD')} USD</b> <span className="soft">paid in {currency}</span>
      </span>,
    ],
    [
      'Booked',
      <span className="num">
        {exactMoney(converted, currency)} {currency}
      </span>,
    ],
    ...(narration === '' ? [] : [['Narration', narration] as const]),
    ['Request id', <Copyable text={id} what="Request id" />],
  ];
  return (
    <Dialog title="Transfer received" width={WIDTH} onClose={onClose}>
      <div className={styles.main}>
        <Facts facts={facts} />
      </div>
    </Dialog>
  );
}
