import type { AuditEvent } from '#contracts';
import { exactMoney, isZero, shortId, signedMoney } from '../../lib';
import { postingsOf, sumsOf } from './postings';
import styles from './audit.module.css';

/** An account's name, its person's id only so long that it can be told from another. */
function shortAccount(account: string): string {
  return account.replace(/^customer\/([^/]+)\//, (_, id: string) => `customer/${shortId(id, 8, 4)}/`);
}

/** What an event booked, and that it adds up to zero. */
export function PostingList({ event }: { readonly event: AuditEvent }) {
  const postings = postingsOf(event);
  if (postings.length === 0) return null;
  return (
    <section className={styles.part} aria-label="Postings">
      <h3 className="label">Postings</h3>
      <table className={styles.small}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Account</th>
            <th scope="col">Amount</th>
            <th scope="col">Currency</th>
          </tr>
        </thead>
        <tbody>
          {postings.map(({ account, amount, currency }, at) => (
            <tr key={at}>
              <th scope="row" className="code" title={account}>
                {shortAccount(account)}
              </th>
              <td className="num">
                <span className={amount.startsWith('-') ? 'debit' : 'credit'}>
                  {signedMoney(amount, currency)}
                </span>
              </td>
              <td className="soft">{currency}</td>
            </tr>
          ))}
          {sumsOf(postings).map(({ currency, sum }) => (
            <tr key={currency} className={isZero(sum) ? 'soft' : 'debit'}>
              <th scope="row">Sum</th>
              <td className="num">{exactMoney(sum, currency)}</td>
              <td>{currency}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
