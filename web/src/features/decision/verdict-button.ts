import type { Verdict } from './words';

/** The button within an element that decides a request so. */
export function verdictButton(within: ParentNode | null, verdict: Verdict): HTMLButtonElement | null {
  return within?.querySelector<HTMLButtonElement>(`button[data-verdict='${verdict}']`) ?? null;
}
