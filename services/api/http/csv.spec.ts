import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { csvHead, csvLine, type Cell } from './csv.js';

const line = (...cells: readonly Cell[]) =>
  csvLine(
    cells.map((cell, n) => [`c${n}`, () => cell]),
    undefined,
  );

/** The cells of lines, read back as RFC 4180 has them. */
function cellsIn(text: string): readonly string[] {
  const cells: string[] = [];
  let rest = text;
  while (rest !== '') {
    const [whole = '', quoted, plain] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?:,|\r\n)/.exec(rest) ?? [];
    if (whole === '') throw new Error(`no cell begins at ${JSON.stringify(rest)}`);
    cells.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    rest = rest.slice(whole.length);
    if (whole.endsWith(',') && rest === '') cells.push('');
  }
  return cells;
}

describe('a line of a file', () => {
  test('gives every text back, as a text', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a"b', 'a,b', 'a;b', 'a\tb', 'a\r\nb', '=1+1', ''),
    );
    fc.assert(
      fc.property(fc.array(texts, { minLength: 1, maxLength: 5 }), (cells) => {
        const read = cellsIn(line(...cells));
        expect(read.map((cell, n) => (cell === `'${cells[n] ?? ''}` ? cells[n] : cell))).toEqual(cells);
        expect(read.some((cell) => /^[=+\-@\t\r\n]/.test(cell) && !/^-\d+(?:\.\d+)?$/.test(cell))).toBe(
          false,
        );
      }),
    );
  });

  test.each([
    ['=SUM(A1:A9)', "'=SUM(A1:A9)"],
    ['+41 44 000', "'+41 44 000"],
    ['@me', "'@me"],
    ['-1+1', "'-1+1"],
    ['\tx', `"'\tx"`],
    ['a;=1+1', '"a;=1+1"'],
    ['\0=1+1', "'\0=1+1"],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠me', "'＠me"],
    ['-12.50', '-12.50'],
    ['-7', '-7'],
    ['12.50', '12.50'],
    ['Zoë', 'Zoë'],
  ])('%j stands as %j', (cell, text) => {
    expect(line(cell)).toBe(`${text}\r\n`);
  });

  test('holds nothing, numbers and truths', () => {
    expect(line(undefined, null, 0, true, 'a "b", c')).toBe(',,0,true,"a ""b"", c"\r\n');
  });

  test('is headed by the columns’ names, with a byte order mark', () => {
    expect(
      csvHead([
        ['id', () => 1],
        ['a,b', () => 2],
      ]),
    ).toBe('\uFEFFid,"a,b"\r\n');
  });
});
