import { RecoveryCodes, SetUpFirst } from '../../features/second-factor';
import { OnlyThis } from '../only-this';

const WHY = 'Admins need one here. As soon as yours is on, you have everything else.';
/** How often the page asks whether the set-up is still due, in milliseconds: it may be done elsewhere. */
const ASK_MS = 10_000;

type Props = {
  /** The recovery codes, once there are some. */
  readonly codes: readonly string[] | undefined;
  readonly onCodes: (codes: readonly string[]) => void;
  /** The codes are kept. */
  readonly onDone: () => void;
};

/** The set-up of a second factor on a page of its own, and the recovery codes that come of it. */
export default function SecondFactorSetUp({ codes, onCodes, onDone }: Props) {
  return (
    <OnlyThis title="Set up your second factor" why={WHY}>
      {codes === undefined ? (
        <SetUpFirst onCodes={onCodes} askMs={ASK_MS} />
      ) : (
        <RecoveryCodes codes={codes} onDone={onDone} />
      )}
    </OnlyThis>
  );
}
