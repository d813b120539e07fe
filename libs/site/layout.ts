import { pagePaths, sitePaths, type Content } from '#contracts';
import { icon, mark } from './drawings.js';
import { prices } from './figures.js';
import { html, safeAddress, textOf, type Html } from './html.js';
import type { BuiltScript, SiteView } from './view.js';

/** What a page says of itself, and what stands in it. */
export type Sheet = {
  readonly title: string;
  readonly description: string;
  readonly path: string;
  /** False for a page that is not meant to be found. */
  readonly isFound?: boolean;
  readonly body: Html;
};

/** Of a text, as much as a search engine or a preview shows. */
const DESCRIPTION_MAX = 160;
/** Names of a machine for itself: that of an address that nobody has set, among others. */
const LOCAL = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** A whole page: what it says of itself, the header with its links, `body`, and the footer. */
export function pageOf(view: SiteView, sheet: Sheet): string {
  const { company } = view.content;
  return textOf(
    html`<!doctype html>
      <html lang="en" ${view.isDraft === true && html`data-script`}>
        ${head(view, sheet, view.assets.site)}
        <body>
          <a class="skip" href="#content">Skip to content</a>
          ${header(company.name, sheet.path)}
          <main id="content">${sheet.body}</main>
          ${footer(view)}
        </body>
      </html>`,
  );
}

/** The whole title of a page. */
export function titleOf({ company }: Content, title: string): string {
  return title === company.name ? title : `${company.name} · ${title}`;
}

/** The beginning of a text, cut at a word. */
export function summary(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= DESCRIPTION_MAX) return line;
  return `${line.slice(0, DESCRIPTION_MAX).replace(/\s+\S*$/, '')} …`;
}

/** The operator's risk disclosure, for every page that invites somebody to put money in. */
export function riskNotice({ riskDisclosure }: Content): Html {
  return html`<aside class="risk" aria-label="${riskDisclosure.title}">
    <div class="wrap">
      ${icon('warning')}
      <p>
        <strong>${riskDisclosure.title}.</strong> ${riskDisclosure.text} A withdrawal never asks you for a
        payment first. <a class="link" href="${sitePaths.risk}">Read the risks</a>
      </p>
    </div>
  </aside>`;
}

/**
 * What a draft may do wherever it is shown: load styles, fonts, pictures and films of this site, and nothing else. The policy of the
 * page around it holds too.
 */
const DRAFT_POLICY = [
  "default-src 'none'",
  ...['style', 'font', 'img', 'media'].map((kind) => `${kind}-src 'self'`),
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** What a page says of itself, and the built files that it asks for. */
export function head(
  { content, publicUrl, isDraft }: SiteView,
  { title, description, path, isFound = true }: Omit<Sheet, 'body'>,
  assets: BuiltScript,
): Html {
  const address = `${publicUrl}${path}`;
  const whole = titleOf(content, title);
  return html`<head>
    <meta charset="utf-8" />
    ${isDraft === true && html`<meta http-equiv="Content-Security-Policy" content="${DRAFT_POLICY}" />`}
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${whole}</title>
    <meta name="description" content="${summary(description)}" />
    ${isFound ? html`<link rel="canonical" href="${address}" />` : html`<meta name="robots" content="noindex" />`}
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="${content.company.name}" />
    <meta property="og:title" content="${whole}" />
    <meta property="og:description" content="${summary(description)}" />
    <meta property="og:url" content="${address}" />
    ${picture(publicUrl)}
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    ${assets.fonts.map((font) => html`<link rel="preload" as="font" type="font/woff2" href="${font}" crossorigin />`)}
    ${assets.styles.map((style) => html`<link rel="stylesheet" href="${style}" />`)}
    ${isDraft !== true && scripts(assets)}
  </head>`;
}

function scripts({ imports, script }: BuiltScript): Html {
  return html`${imports.map((file) => html`<link rel="modulepreload" href="${file}" />`)}
    <script type="module" src="${script}"></script>`;
}

/** The picture of a preview elsewhere; none where the address is that of one machine, at which nobody else finds it. */
function picture(publicUrl: string): Html | false {
  if (LOCAL.test(new URL(publicUrl).hostname)) return false;
  return html`<meta property="og:image" content="${publicUrl}/image/preview.png" />
    <meta property="og:image:type" content="image/png" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta name="twitter:card" content="summary_large_image" />`;
}

const MENU = [
  ['Home', sitePaths.site],
  ['About Us', sitePaths.about],
  ['Contact Us', sitePaths.contact],
] as const;

function header(name: string, current: string): Html {
  return html`<header class="head">
    <div class="wrap">
      <a class="logo" href="${sitePaths.site}">${mark(24)} ${name}</a>
      <button class="burger" type="button" aria-controls="menu" aria-expanded="false" aria-label="Menu">
        ${icon('menu')}${icon('close')}
      </button>
      <nav id="menu" aria-label="Main">
        ${MENU.map(([label, path]) => link(label, path, current))}
        <a class="button primary" href="${pagePaths.login}">Login</a>
      </nav>
    </div>
  </header>`;
}

function link(label: string, path: string, current: string): Html {
  return path === current
    ? html`<a href="${path}" aria-current="page">${label}</a>`
    : html`<a href="${path}">${label}</a>`;
}

const SOCIALS = [
  ['LinkedIn', 'linkedin'],
  ['Twitter', 'twitter'],
  ['Instagram', 'instagram'],
  ['Facebook', 'facebook'],
] as const;

/** Links that somebody else wrote: those that are set and lead to where a link may. */
function linksOf(links: readonly (readonly [label: string, address: string | null])[]): readonly Html[] {
  return links.flatMap(([label, address]) => {
    const safe = safeAddress(address);
    return safe === undefined ? [] : [html`<li><a href="${safe}">${label}</a></li>`];
  });
}

/** The pages that an operator writes and that are there once they say something. */
export function writtenPages(content: Content): readonly (readonly [label: string, path: string])[] {
  const pages = ['fees', 'terms', 'privacy'] as const;
  return pages.flatMap((name) =>
    content[name].text === '' ? [] : [[content[name].title, sitePaths[name]] as const],
  );
}

function footer({ content, hasProducts }: SiteView): Html {
  const { company, footer: foot, links, social, widget, riskDisclosure } = content;
  const socials = linksOf(SOCIALS.map(([label, name]) => [label, social[name]]));
  const small = [[riskDisclosure.title, sitePaths.risk] as const, ...writtenPages(content)];
  return html`<footer class="foot">
    <div class="wrap">
      <div class="who">
        <a class="logo" href="${sitePaths.site}">${mark(20)} ${company.name}</a>
        <p>${foot.tagline}</p>
      </div>
      <nav aria-labelledby="foot-links">
        <h2 id="foot-links">Links</h2>
        <ul>
          <li><a href="${sitePaths.site}">Home</a></li>
          <li><a href="${sitePaths.about}">About</a></li>
          ${hasProducts && html`<li><a href="${sitePaths.products}">Products</a></li>`}
          ${linksOf([
            ['Services', links.services],
            ['Portfolio', links.portfolio],
          ])}
          <li><a href="${sitePaths.contact}">Contact</a></li>
        </ul>
      </nav>
      ${
        socials.length > 0 &&
        html`<nav aria-labelledby="foot-socials">
          <h2 id="foot-socials">Socials</h2>
          <ul>
            ${socials}
          </ul>
        </nav>`
      }
      <div class="blurb">
        <h2>${widget.title}</h2>
        <p>${widget.text}</p>
        ${prices()}
        <p><a href="${sitePaths.widget}">Put it on a page of yours</a></p>
      </div>
    </div>
    <nav class="wrap small" aria-label="Small print">
      ${small.map(([label, path]) => html`<a href="${path}">${label}</a>`)}
      <a href="${sitePaths.status}">Status</a>
      <a href="${pagePaths.register}">Register</a>
    </nav>
  </footer>`;
}
