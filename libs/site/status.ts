import { sitePaths } from '#contracts';
import { html } from './html.js';
import type { Sheet } from './layout.js';

/** How well the program answers. */
export type Readiness = 'ok' | 'degraded' | 'unavailable';

const WORDS = {
  ok: ['Everything works.', 'Requests are answered and commands are carried out.'],
  degraded: [
    'Some of it does not work as it should.',
    'What is known can be looked at. Some commands may have to wait, and the operator has been told.',
  ],
  unavailable: [
    'The service is not available now.',
    'Commands or queries are not answered. What was confirmed before is kept. Please try again later.',
  ],
} as const satisfies Record<Readiness, readonly [string, string]>;

/** `/status`: readiness in words. */
export function statusPage(status: Readiness): Sheet {
  const [title, text] = WORDS[status];
  return {
    title: 'Status',
    description: title,
    path: sitePaths.status,
    isFound: false,
    body: html`<article class="wrap text">
      <h1>Status</h1>
      <p class="told" data-kind="${status === 'ok' ? 'done' : 'refused'}"><strong>${title}</strong></p>
      <p>${text}</p>
    </article>`,
  };
}
