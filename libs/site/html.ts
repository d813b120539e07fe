/** Where markup is kept: under a symbol, which nothing that was parsed from JSON can have. */
const markup = Symbol('markup');

/** Markup that may stand in a page as it is. */
export type Html = { readonly [markup]: string };

/** What a template takes: text is escaped, markup stands as it is, of a list every part, and nothing for what is not there. */
export type Part = Html | string | number | false | undefined | readonly Part[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** A template of markup: what is put into it is text unless it is markup itself. An attribute's value stands in quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const text = strings.map((string, at) => string + (at < parts.length ? written(parts[at]) : '')).join('');
  return { [markup]: text };
}

/** Markup as the text that is sent. */
export function textOf(part: Html): string {
  return part[markup];
}

/** Text as it stands between tags and in quotes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => ESCAPES[character] ?? '');
}

function written(part: Part): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string') return escaped(part);
  if (typeof part === 'number') return String(part);
  if (isList(part)) return part.map(written).join('');
  return part[markup];
}

function isList(part: Html | readonly Part[]): part is readonly Part[] {
  return Array.isArray(part);
}

/**
 * An address that an operator wrote, where it is one that a page may lead to: https, mailto, or a path of this origin.
 * Undefined for every other.
 */
export function safeAddress(address: string | null | undefined): string | undefined {
  const given = (address ?? '').trim();
  if (/[\s\\<>"'`\p{Cc}]/u.test(given)) return undefined;
  return /^https:\/\/[^/]|^mailto:[^?]+@|^\/(?!\/)|^\/$/i.test(given) ? given : undefined;
}

/** A path of this origin that an operator wrote; undefined for every other address. */
export function ownPath(address: string | null | undefined): string | undefined {
  const safe = safeAddress(address);
  return safe?.startsWith('/') === true ? safe : undefined;
}

/** A text as paragraphs: an empty line parts them, and a line that ends breaks. */
export function paragraphs(text: string): readonly Html[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => {
      const lines = paragraph.split('\n').map((line, at) => (at === 0 ? html`${line}` : html`<br />${line}`));
      return html`<p>${lines}</p>`;
    });
}
