import type { Figures } from '#contracts';
import { formatTime } from '../../lib';

/**
 * Fills the places of figures, and shows those that there is something for, or else what is said when there is nothing.
 * What can't be asked stays hidden.
 */
export async function showFigures(): Promise<void> {
  const places = [...document.querySelectorAll<HTMLElement>('[data-figures]')];
  const address = places[0]?.dataset['figures'];
  if (address === undefined) return;
  const response = await fetch(address, { headers: { accept: 'application/json' } }).catch(() => undefined);
  if (response?.ok !== true) return;
  const figures: unknown = await response.json().catch(() => undefined);
  if (!isFigures(figures)) return;
  const filled = places.filter((place) => fill(place, figures));
  for (const place of filled) place.hidden = false;
  for (const none of document.querySelectorAll<HTMLElement>('[data-none]')) none.hidden = filled.length > 0;
}

/** Whether an answer is one of ours. The figures in it are looked at one by one, as each may be null. */
function isFigures(answer: unknown): answer is Figures {
  return typeof answer === 'object' && answer !== null && 'counters' in answer && 'prices' in answer;
}

/** True when one of them was there. */
function fill(place: HTMLElement, { counters, prices, position, at }: Figures): boolean {
  let filled = false;
  const show = (shown: HTMLElement, text: string) => {
    shown.textContent = text;
    shown.closest('div[hidden]')?.removeAttribute('hidden');
    filled = true;
  };
  for (const shown of place.querySelectorAll<HTMLElement>('[data-counter]')) {
    const count = Object.entries(counters).find(([name]) => name === shown.dataset['counter'])?.[1];
    if (typeof count === 'number') show(shown, grouped(String(count)));
  }
  for (const shown of place.querySelectorAll<HTMLElement>('[data-price]')) {
    const set = Object.entries(prices).find(([currency]) => currency === shown.dataset['price'])?.[1];
    if (!set) continue;
    show(shown, `${inDollars(set.price)} USD`);
    const when = shown.parentElement?.querySelector('small');
    if (when) when.textContent = `set ${formatTime(set.setAt)} UTC`;
  }
  const asOf = place.querySelector('[data-as-of]');
  if (asOf && filled) asOf.textContent = `From the ledger at position ${position}, ${formatTime(at)} UTC.`;
  return filled;
}

/** A price with its thousands parted, and no zeros beyond the cent. */
function inDollars(price: string): string {
  const [whole = '', fraction = ''] = price.split('.');
  return `${grouped(whole)}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

function grouped(whole: string): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, ',');
}
