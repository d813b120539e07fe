import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { oneLine, renderMail } from '#mail';

const words = {
  from: 'Lode & Sons',
  subject: 'Set a new <password>',
  text: 'Somebody asked for it.\nPerhaps you.\n\nElse do nothing.',
  link: { label: 'Set it', address: 'https://lode.example.org/reset-password#a_b-c' },
  facts: ['At: 2026-01-01', 'From: 192.0.2.1'],
};

test('a mail is told as plain text and as HTML', () => {
  const { subject, text, html } = renderMail(words);
  expect(subject).toBe('Set a new <password>');
  expect(text).toBe(
    'Somebody asked for it.\nPerhaps you.\n\nElse do nothing.\n\nSet it:\nhttps://lode.example.org/reset-password#a_b-c\n\n' +
      'At: 2026-01-01\nFrom: 192.0.2.1\n\nLode & Sons\n',
  );
  expect(html).toContain('<p>Somebody asked for it.<br>Perhaps you.</p><p>Else do nothing.</p>');
  expect(html).toContain('<a href="https://lode.example.org/reset-password#a_b-c">Set it</a>');
  expect(html).toContain('<p>At: 2026-01-01<br>From: 192.0.2.1</p><p>Lode &amp; Sons</p>');
});

test('whatever is written into one, nothing is fetched, nothing is markup, and a header is one line', () => {
  const typed = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('<img src=x>', '"><script>', 'a\r\nBcc: eve@example.org', '&lt;', '<style>@import "x"'),
  );
  const all = fc.record({
    from: typed,
    subject: typed,
    text: typed,
    facts: fc.array(typed, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(all, (given) => {
      const { subject, html } = renderMail({ ...words, ...given });
      expect(subject).not.toMatch(/[\r\n\0\u0085\u2028\u2029]/);
      const tags = html.match(/<[^>]*>/g) ?? [];
      for (const tag of tags)
        expect(tag).toMatch(
          /^<(?:!doctype html|html lang="en"|\/?(?:html|body|p|div|a)|br|div style="[^"<>]*"|a href="https:[^"<>]*")>$/,
        );
      expect(html.match(/href=/g)).toHaveLength(1);
    }),
  );
});

test('a line is one line', () => {
  expect(oneLine(' a\r\nb\u2028c\0d ')).toBe('a b c d');
});
