import { sitePaths } from '#contracts';
import { prices } from './figures.js';
import { html, textOf } from './html.js';
import { head } from './layout.js';
import type { SiteView } from './view.js';

/** `/widget`: prices, to be shown within a page of anybody's. That none was set is said once that is known. */
export function widgetPage(view: SiteView): string {
  const { content, publicUrl, assets } = view;
  const { title, text } = content.widget;
  const path = sitePaths.widget;
  const snippet = textOf(
    html`<iframe src="${publicUrl}${path}" title="${title}" width="320" height="200"></iframe>`,
  );
  return textOf(
    html`<!doctype html>
      <html lang="en">
        ${head(view, { title, description: text, path, isFound: false }, assets.widget)}
        <body>
          <main>
            <h1>${title}</h1>
            <p>${text}</p>
            ${prices()}
            <p data-none hidden>No price has been set.</p>
            <p><a href="${publicUrl}/" target="_blank" rel="noopener">${content.company.name}</a></p>
            <section data-embed>
              <h2>On a page of yours</h2>
              <textarea readonly rows="3" aria-label="What to put into the page">${snippet}</textarea>
            </section>
          </main>
        </body>
      </html>`,
  );
}
