import { sitePaths } from '#contracts';
import { html, paragraphs } from './html.js';
import type { Sheet } from './layout.js';
import type { SiteView } from './view.js';

/** `/fees`, `/terms` and `/privacy`: there once the operator has written them. */
export function writtenPage(
  { content }: SiteView,
  name: 'fees' | 'terms' | 'privacy' | 'risk',
): Sheet | undefined {
  const { title, text } = content[name === 'risk' ? 'riskDisclosure' : name];
  if (text === '') return undefined;
  return {
    title,
    description: text,
    path: sitePaths[name],
    body: html`<article class="wrap text">
      <h1>${title}</h1>
      ${paragraphs(text)}
    </article>`,
  };
}
