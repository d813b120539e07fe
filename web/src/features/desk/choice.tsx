import { Button } from '@mantine/core';
import { createContext, useContext, useMemo, useState, type ReactNode } from 'react';
import { isSettling, useAppSelector } from '../../api';
import { displayMoney } from '../../lib';
import type { AnyRequest } from '../requests';
import type { Verdict } from '../decision';
import styles from './desk.module.css';

/** The most that can be decided at once. */
const CHOSEN_MAX = 100;

type Chosen = ReadonlyMap<string, AnyRequest>;
/** What is selected in a list, by id. It outlasts the page of the list, so that several pages can be decided at once. */
export type Choice = {
  readonly chosen: Chosen;
  readonly toggle: (request: AnyRequest) => void;
  readonly clear: () => void;
};

const Context = createContext<Choice | undefined>(undefined);

/** What is selected, to be given to a list. */
export function useChoice(): Choice {
  const [chosen, setChosen] = useState<Chosen>(new Map());
  return useMemo(
    () => ({
      chosen,
      toggle: (request) =>
        setChosen((before) => {
          const next = new Map(before);
          if (!next.delete(request.id) && next.size < CHOSEN_MAX) next.set(request.id, request);
          return next;
        }),
      clear: () => setChosen(new Map()),
    }),
    [chosen],
  );
}

/** Lets the rows within it be selected. */
export const ChoiceProvider = Context;

type Props = { readonly request: AnyRequest; readonly children: ReactNode };

/** What a row begins with: an open request can be selected, where its list has a choice. */
export function Choosable({ request, children }: Props) {
  const choice = useContext(Context);
  const settling = useAppSelector((state) => isSettling(state, request.id));
  if (choice === undefined) return children;
  const amount = displayMoney(request.amount, 'USD');
  return (
    <>
      <label className={styles.choose} data-none={request.closed || settling}>
        {!request.closed && !settling && (
          <input
            type="checkbox"
            checked={choice.chosen.has(request.id)}
            aria-label={`Select request of ${amount} USD by ${request.customer}`}
            onChange={() => choice.toggle(request)}
          />
        )}
      </label>
      {children}
    </>
  );
}

type BarProps = { readonly choice: Choice; readonly onDecide: (verdict: Verdict) => void };

/** What can be done with what is selected; there only while something is. */
export function ChoiceBar({ choice, onDecide }: BarProps) {
  const count = choice.chosen.size;
  return (
    <div className={styles.bar} role="group" aria-label="Selected requests" hidden={count === 0}>
      <span role="status" className="num">
        {count > 0 && `${count} selected`}
      </span>
      <Button size="xs" onClick={() => onDecide('confirm')}>
        Confirm selected
      </Button>
      <Button size="xs" variant="danger" onClick={() => onDecide('reject')}>
        Reject selected
      </Button>
      <Button size="xs" variant="subtle" onClick={choice.clear}>
        Select none
      </Button>
    </div>
  );
}
