import { pagePaths, type Content } from '#contracts';
import { html, paragraphs, type Html } from './html.js';

type Points = Content['howMiningWorks'];

type Look = {
  /** Ordered where the points follow one another. */
  readonly kind: 'ordered' | 'plain';
  /** True on the second of the two backgrounds. */
  readonly isShaded?: boolean;
  /** What links to the section name. */
  readonly id?: string;
  readonly after?: Html;
};

/** A heading with what is said under it. */
export function intro(title: string, text: string): Html {
  return html`<h2>${title}</h2>
    ${text !== '' && html`<div class="lead">${paragraphs(text)}</div>`}`;
}

/** Points under a heading. Nothing while there are none. */
export function points({ title, text, items }: Points, { kind, isShaded = false, id, after }: Look): Html {
  if (items.length === 0) return html``;
  const list = items.map(
    (item) =>
      html`<li>
        <h3>${item.title}</h3>
        ${paragraphs(item.text)}
      </li>`,
  );
  return html`<section class="${isShaded ? 'ground' : ''}" ${id !== undefined && html`id="${id}"`}>
    <div class="wrap">
      ${intro(title, text)}
      ${
        kind === 'ordered'
          ? html`<ol class="points">
              ${list}
            </ol>`
          : html`<ul class="points">
              ${list}
            </ul>`
      }
      ${after}
    </div>
  </section>`;
}

/** The plans, each with the way to an account. */
export function plans({ title, text, items, note }: Content['plans']): Html {
  return html`<section class="ground" id="plans">
    <div class="wrap">
      ${intro(title, text)}
      <ul class="plans">
        ${items.map(
          (plan) =>
            html`<li>
              <h3>${plan.name}</h3>
              <p class="range">
                ${plan.maximum === null ? html`$${plan.minimum}+` : html`$${plan.minimum} – $${plan.maximum}`}
              </p>
              ${paragraphs(plan.text)}
              <a class="button" href="${pagePaths.register}">Choose ${plan.name}</a>
            </li>`,
        )}
      </ul>
      <p class="note">${note}</p>
    </div>
  </section>`;
}
