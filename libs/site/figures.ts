import { routes } from '#contracts';
import { html, type Html } from './html.js';

/*
 * Places of figures. A page as it is sent has none: the script asks for them after it has loaded, and shows a place once
 * there is something for it.
 */

const COUNTERS = [
  ['clients', 'Clients'],
  ['years', 'Years'],
  ['requestsPaid', 'Withdrawals paid'],
] as const;

/** What the platform can say of itself in numbers. */
export function counters(): Html {
  return html`<section
    class="ground figures"
    data-figures="${routes.figures.path}"
    aria-label="In figures"
    hidden
  >
    <div class="wrap">
      <dl>
        ${COUNTERS.map(
          ([name, label]) =>
            html`<div hidden>
              <dt>${label}</dt>
              <dd data-counter="${name}"></dd>
            </div>`,
        )}
      </dl>
      <p class="note" data-as-of></p>
    </div>
  </section>`;
}

/** The prices that this platform books at. */
export function prices(): Html {
  return html`<dl class="prices" data-figures="${routes.figures.path}" hidden>
    ${['BTC', 'LTC'].map(
      (currency) =>
        html`<div hidden>
          <dt>${currency}</dt>
          <dd><b data-price="${currency}"></b> <small></small></dd>
        </div>`,
    )}
  </dl>`;
}
