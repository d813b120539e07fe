import { useClockQuery } from '../../api';
import { Notice, When } from '../../ui';
import styles from './clock-notice.module.css';

/** Between two questions, in milliseconds: nothing else tells that the clock was put right. */
const ASK_MS = 60_000;

/** Why nothing can be asked for or decided just now, while the server's clock is not accepted. */
export function ClockNotice() {
  const { data: told } = useClockQuery(undefined, { pollingInterval: ASK_MS });
  if (told === undefined || told.accepted) return null;
  return (
    <section className={`card ${styles.notice}`}>
      <Notice role="status" title="The clock of the server is wrong.">
        It says <When iso={told.clock} />, and the latest time that is known is <When iso={told.known} />.
        Until it is put right nothing is written, paid or deleted.
      </Notice>
    </section>
  );
}
