/** What a mail says, in the operator's words, with what is to be done and what is so. */
export type MailWords = {
  /** Who writes. */
  readonly from: string;
  readonly subject: string;
  /** Paragraphs, parted by empty lines. */
  readonly text: string;
  readonly link?: { readonly label: string; readonly address: string } | undefined;
  /** What happened, line by line. */
  readonly facts?: readonly string[];
};

export type RenderedMail = { readonly subject: string; readonly text: string; readonly html: string };

const STYLE = 'font-family:sans-serif;font-size:16px;line-height:1.5;color:#111;max-width:36em';

/** The mail as plain text and as HTML: no picture, no style sheet, nothing that is fetched; one link at most. */
export function renderMail({ from, subject, text, link, facts = [] }: MailWords): RenderedMail {
  const paragraphs = text
    .split(/\n{2,}/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const lines = facts.map(oneLine);
  const signature = oneLine(from);
  const plain = [
    ...paragraphs,
    ...(link === undefined ? [] : [`${oneLine(link.label)}:\n${link.address}`]),
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
    signature,
  ];
  const html = [
    ...paragraphs.map((one) => `<p>${escaped(one).replaceAll('\n', '<br>')}</p>`),
    ...(link === undefined
      ? []
      : [
          `<p><a href="${escaped(link.address)}">${escaped(oneLine(link.label))}</a></p>`,
          `<p>${escaped(link.address)}</p>`,
        ]),
    ...(lines.length === 0 ? [] : [`<p>${lines.map(escaped).join('<br>')}</p>`]),
    `<p>${escaped(signature)}</p>`,
  ];
  return {
    subject: oneLine(subject),
    text: `${plain.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body><div style="${STYLE}">${html.join('')}</div></body></html>`,
  };
}

/** One line, whatever was typed: a line break in a header would begin another one. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => ENTITIES[one] ?? one);
}
