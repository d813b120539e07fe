import { pagePaths, sitePaths, type Content } from '#contracts';
import { counters } from './figures.js';
import { html, ownPath, paragraphs, type Html } from './html.js';
import { riskNotice, type Sheet } from './layout.js';
import { plans, points } from './sections.js';
import type { SiteView } from './view.js';

/** `/who-we-are` */
export function about({ content }: SiteView): Sheet {
  const { whoWeAre, whatWeOffer, whyChoose, steps, team, testimonials } = content;
  return {
    title: whoWeAre.title,
    description: whoWeAre.text,
    path: sitePaths.about,
    body: html`<section class="first">
        <div class="wrap">
          <h1>${whoWeAre.title}</h1>
          <div class="lead">${paragraphs(whoWeAre.text)}</div>
        </div>
      </section>
      ${riskNotice(content)} ${points(whatWeOffer, { kind: 'plain' })}
      ${points(whyChoose, { kind: 'plain', isShaded: true })}
      ${points(steps, {
        kind: 'ordered',
        id: 'steps',
        after: html`<p class="actions"><a class="button" href="${pagePaths.register}">Get Started</a></p>`,
      })}
      ${plans(content.plans)} ${counters()} ${people(team)} ${said(testimonials)}`,
  };
}

/** Nothing while the operator has named nobody. */
function people({ title, items }: Content['team']): Html {
  if (items.length === 0) return html``;
  return html`<section class="ground">
    <div class="wrap">
      <h2>${title}</h2>
      <ul class="points">
        ${items.map(({ name, role, image, text }) => {
          const own = ownPath(image);
          return html`<li>
            ${own !== undefined && html`<img class="face" src="${own}" alt="" width="72" height="72" loading="lazy" />`}
            <h3>${name}</h3>
            <p>${role}</p>
            ${paragraphs(text)}
          </li>`;
        })}
      </ul>
    </div>
  </section>`;
}

function said({ title, items }: Content['testimonials']): Html {
  if (items.length === 0) return html``;
  return html`<section>
    <div class="wrap">
      <h2>${title}</h2>
      <ul class="points">
        ${items.map(
          ({ name, text }) =>
            html`<li>
              <blockquote>${paragraphs(text)}</blockquote>
              <p>${name}</p>
            </li>`,
        )}
      </ul>
    </div>
  </section>`;
}
