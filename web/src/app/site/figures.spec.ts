import { afterEach, expect, test } from '@jest/globals';
import { routes } from '../../api';
import { json, problem, serve, to } from '../../testing';
import { showFigures } from './figures';

const none = {
  counters: { clients: null, years: null, requestsPaid: null },
  prices: { BTC: null, LTC: null },
};
const asOf = { position: '7', at: '2030-01-01T10:00:00.000Z' };

afterEach(() => {
  document.body.innerHTML = '';
});

/** The widget as the server writes it, after its script asked for the figures. */
async function widget(answer: () => Response): Promise<{ readonly prices: boolean; readonly none: boolean }> {
  document.body.innerHTML = `<dl class="prices" data-figures="${routes.figures.path}" hidden>
    <div hidden><dt>BTC</dt><dd><b data-price="BTC"></b> <small></small></dd></div></dl>
    <p data-none hidden>No price has been set.</p>`;
  serve({ [to(routes.figures)]: answer });
  await showFigures();
  const isShown = (selector: string) => document.querySelector<HTMLElement>(selector)?.hidden === false;
  return { prices: isShown('.prices'), none: isShown('[data-none]') };
}

test('that no price was set is said when the figures say so, and not beside a price', async () => {
  expect(await widget(() => json({ ...none, ...asOf }))).toEqual({ prices: false, none: true });
  const set = { BTC: { price: '64250.5', setAt: asOf.at }, LTC: null };
  expect(await widget(() => json({ ...none, ...asOf, prices: set }))).toEqual({ prices: true, none: false });
  expect(document.querySelector('[data-price]')?.textContent).toBe('64,250.50 USD');
});

test.each<[string, () => Response]>([
  ['a refusal', () => problem(503, 'unavailable', 'Later.')],
  ['nothing', () => Response.error()],
  ['no JSON', () => new Response('<html>')],
  ['something else', () => json({ message: 'ok' })],
  ['null', () => json(null)],
])('while the figures can’t be had, nothing is said of prices: %s', async (_, answer) => {
  expect(await widget(answer)).toEqual({ prices: false, none: false });
});
