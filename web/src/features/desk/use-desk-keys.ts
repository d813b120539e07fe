import { useEffect, useEffectEvent, type RefObject } from 'react';
import { isSingleKey } from '../../lib';
import { verdictButton, type Verdict } from '../decision';

const verdicts: Readonly<Record<string, Verdict>> = { c: 'confirm', r: 'reject' };
const steps: Readonly<Record<string, number>> = { j: 1, k: -1 };

function openDialog(): Element | null {
  return document.querySelector('[data-lode-dialog]');
}

/** The button of a row that opens it: it has the focus while the row is the one that keys are about. */
function opener(row: Element | undefined): HTMLButtonElement | null {
  return row?.querySelector<HTMLButtonElement>('td:last-child button') ?? null;
}

type Asked = {
  /** The list's rows are in here. */
  readonly list: RefObject<HTMLElement | null>;
  readonly hasChosen: boolean;
  /** A row is about to be opened to be decided so. */
  readonly onIntent: (verdict: Verdict) => void;
  /** What is selected is to be decided so. */
  readonly onDecide: (verdict: Verdict) => void;
};

/** The keys of a list of requests, and of the dialog over it: they go by the focus, and press what a pointer would. */
export function useDeskKeys({ list, hasChosen, onIntent, onDecide }: Asked): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isSingleKey(event) || event.repeat) return;
    const verdict = verdicts[event.key];
    const dialog = openDialog();
    if (dialog !== null) {
      if (verdict !== undefined) verdictButton(dialog, verdict)?.click();
      return;
    }
    const rows = [...(list.current?.querySelectorAll('tbody tr') ?? [])];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const step = steps[event.key];
    if (step !== undefined)
      opener(rows[at < 0 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)])?.focus();
    else if (event.key === 'x') rows[at]?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
    else if (verdict !== undefined && hasChosen) onDecide(verdict);
    else if (verdict !== undefined && at >= 0) {
      onIntent(verdict);
      opener(rows[at])?.click();
    } else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
