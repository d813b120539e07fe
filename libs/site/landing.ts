import { pagePaths, sitePaths, type Content } from '#contracts';
import { DRAWINGS, icon, strata } from './drawings.js';
import { counters } from './figures.js';
import { html, ownPath, paragraphs, safeAddress, type Html } from './html.js';
import { riskNotice, type Sheet } from './layout.js';
import { plans, points } from './sections.js';
import type { SiteView } from './view.js';

/** `/` */
export function landing({ content }: SiteView): Sheet {
  return {
    title: content.hero.title,
    description: content.whatIsMining.text,
    path: sitePaths.site,
    body: html`${hero(content.hero)} ${riskNotice(content)} ${beginning(content)} ${plans(content.plans)}
    ${points(content.howMiningWorks, { kind: 'ordered' })}
    ${points(content.whyMining, { kind: 'plain', isShaded: true })}
    ${points(content.heavyLifting, { kind: 'plain' })} ${counters()} ${goldRush(content.goldRush)}
    ${gallery(content.gallery)}`,
  };
}

function hero({ title, bullets, button, images }: Content['hero']): Html {
  const pictures = images.flatMap((image) => ownPath(image) ?? []);
  const slides =
    pictures.length > 0
      ? pictures.map((picture) => html`<img src="${picture}" alt="" />`)
      : Array.from({ length: DRAWINGS }, (_, slide) => strata(slide));
  return html`<section class="hero" data-slides>
    ${slides.map((slide, at) => html`<div class="slide" ${at > 0 && html`hidden`}>${slide}</div>`)}
    <div class="wrap">
      <h1>${title}</h1>
      <ul>
        ${bullets.map((bullet) => html`<li>${bullet}</li>`)}
      </ul>
      <p class="actions"><a class="button primary large" href="${pagePaths.login}">${button}</a></p>
    </div>
    ${slides.length > 1 && controls(slides.length)}
  </section>`;
}

/** How the slides are moved; shown by the script, without which there is one. */
function controls(slides: number): Html {
  return html`<div class="wrap slides" role="group" aria-label="Background pictures" hidden>
    <button type="button" data-stop aria-label="Stop the slides">${icon('stop')}</button>
    <button type="button" data-previous aria-label="Previous slide" hidden>${icon('previous')}</button>
    <span class="dots" aria-hidden="true">${Array.from({ length: slides }, () => html`<i></i>`)}</span>
    <button type="button" data-next aria-label="Next slide">${icon('next')}</button>
    <span class="unseen" role="status" data-told></span>
  </div>`;
}

/** From what mining is to the three steps. */
function beginning({ whatIsMining, ease, steps }: Content): Html {
  return html`<section>
      <div class="wrap aside">
        <h2>${whatIsMining.title}</h2>
        <div>
          ${paragraphs(whatIsMining.text)}
          <p class="actions"><a class="button" href="${pagePaths.register}">${whatIsMining.button}</a></p>
        </div>
      </div>
    </section>
    <section class="ground">
      <div class="wrap aside">
        <h2>${ease.title}</h2>
        <div>
          ${paragraphs(ease.text)}
          <p><a class="link" href="#steps">${ease.link}</a></p>
        </div>
      </div>
    </section>
    ${points(steps, { kind: 'ordered', id: 'steps' })}`;
}

function goldRush({ title, text, start, more }: Content['goldRush']): Html {
  return html`<section class="ground">
    <div class="wrap aside">
      <h2>${title}</h2>
      <div>
        ${paragraphs(text)}
        <p class="actions">
          <a class="button" href="${sitePaths.contact}">${start}</a>
          <a class="link" href="${sitePaths.contact}">${more}</a>
        </p>
      </div>
    </div>
  </section>`;
}

/** Nothing while it has nothing to show. A piece of another origin is led to, and not loaded. */
function gallery({ title, items }: Content['gallery']): Html {
  const shown = items.flatMap((item) => {
    const own = ownPath(item.source);
    if (own !== undefined) return [piece(item, own)];
    const elsewhere = safeAddress(item.source);
    return elsewhere === undefined
      ? []
      : [html`<li><a class="link" href="${elsewhere}">${item.alt || title}</a></li>`];
  });
  if (shown.length === 0) return html``;
  return html`<section>
    <div class="wrap">
      <h2>${title}</h2>
      <ul class="gallery">
        ${shown}
      </ul>
    </div>
  </section>`;
}

function piece({ kind, alt, poster }: Content['gallery']['items'][number], source: string): Html {
  const still = ownPath(poster);
  return html`<li>
    <figure>
      ${
        kind === 'image'
          ? html`<img src="${source}" alt="${alt}" loading="lazy" width="640" height="400" />`
          : html`<video
              src="${source}"
              ${still !== undefined && html`poster="${still}"`}
              aria-label="${alt}"
              controls
              muted
              loop
              playsinline
              preload="none"
            ></video>`
      }
      ${alt !== '' && html`<figcaption>${alt}</figcaption>`}
    </figure>
  </li>`;
}
