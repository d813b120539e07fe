import { describe, expect, test } from '@jest/globals';
import { filledLine, filledText, typedLine, typedText } from './typed.js';

const HIDDEN = 'Please leave out characters that can’t be seen.';

describe('what people type', () => {
  test.each(['', 'Ada', ' Zoë Müller-李 ', 'مرحبا', '👩‍👩‍👧', 'a\u200db', '100 % “ok”'])(
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
  });
});
