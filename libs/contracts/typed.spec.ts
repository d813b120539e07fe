import { describe, expect, test } from '@jest/globals';
import { emailAddress, filledLine, filledText, typedEmail, typedLine, typedText } from './typed.js';

const HIDDEN = 'Please leave out characters that can’t be seen.';

describe('what people type', () => {
  test.each(['', 'Ada', ' Zoë Müller-李 ', 'مرحبا', '👩‍👩‍👧', 'a\u200db', '100 % “ok”', '2026-01-01T10:00:00'])(
    'is taken with blanks cut off: %j',
    (text) => {
      expect(typedLine(40).parse(text)).toBe(text.trim());
      expect(typedText(40).parse(text)).toBe(text.trim());
    },
  );

  test.each([
    ['a zero', 'C\u0000'],
    ['an escape', '\u001b[31m'],
    ['a deletion', 'a\u007f'],
    ['a control of the second set', 'a\u0085b'],
    ['a turn of direction', 'C\u202ee'],
    ['an isolation', 'C\u2066e'],
    ['half a character', 'a\ud800'],
    ['halves the wrong way round', '\udc00\ud800'],
  ])('is refused with %s', (_, text) => {
    for (const schema of [typedLine(40), typedText(40), filledLine(40, 'none'), filledText(40, 'none')])
      expect(schema.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([HIDDEN]);
  });

  test.each(['a\nb', 'a\tb', 'a\r\nb'])('has breaks in a text alone: %j', (text) => {
    expect(typedText(40).parse(text)).toBe(text);
    expect(typedLine(40).safeParse(text).success).toBe(false);
  });

  test('is refused in its own words when it is missing, and in others when it is too long', () => {
    const words = (value: unknown) => filledLine(3, 'none').safeParse(value).error?.issues[0]?.message;
    expect([undefined, 7, '', ' '].map(words)).toEqual(['none', 'none', 'none', 'none']);
    expect(words('four')).toBe('Please enter at most 3 characters.');
    expect(words(' ab ')).toBe('Please enter at most 3 characters.');
  });
});

describe('an e-mail address', () => {
  const label = 'a'.repeat(63);

  test.each([
    'a@b.co',
    "O'Brien+bank@mail.example.com",
    `${'a'.repeat(64)}@example.com`,
    `a@${label}.com`,
    'a@1-2.de',
  ])('is taken: %s', (address) => expect(typedEmail('none').parse(` ${address} `)).toBe(address));

  test.each([
    'a',
    'a@b',
    '@example.com',
    '.a@example.com',
    'a..b@example.com',
    'a b@example.com',
    'a@-b.com',
    'a@b-.com',
    'a@b.c',
    `${'a'.repeat(65)}@example.com`,
    `a@${label}b.com`,
    `a@example.${'c'.repeat(64)}`,
  ])('that no mail can be sent to is refused: %s', (address) => {
    expect(emailAddress().safeParse(address).error?.issues[0]?.message).toBe(
      'Please enter a valid e-mail address.',
    );
  });

  test('is at most 254 characters long, and refused in its own words when it is missing', () => {
    const long = `a@${`${label}.`.repeat(4)}com`;
    expect(typedEmail('none').safeParse(long).success).toBe(false);
    expect(typedEmail('none').safeParse(' ').error?.issues[0]?.message).toBe('none');
  });
});
