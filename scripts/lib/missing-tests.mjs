// Compares the specification with the sources of the tests that it names. It needs no run, but TypeScript.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { decisionRecords, duplicates, faultsOfLine, overloaded } from './spec-coverage.mjs';
import { createTestTitles } from './test-titles.mjs';
import { root as repository } from './toolchain.mjs';

/** True when two texts with `*` for any text can be the same. */
function canBeSame(one, other) {
  const known = new Map();
  const same = (n, m) => {
    const key = n * (other.length + 1) + m;
    if (!known.has(key)) {
      const [a, b] = [one[n], other[m]];
      if (a === '*') known.set(key, same(n + 1, m) || (m < other.length && same(n, m + 1)));
      else if (b === '*') known.set(key, same(n, m + 1) || (n < one.length && same(n + 1, m)));
      else known.set(key, a === b && (a === undefined || same(n + 1, m + 1)));
    }
    return known.get(key);
  };
  return same(0, 0);
}

/** True when a title has no text but what only a run knows. */
const isOpen = (title) => /^[* ]*$/.test(title);

/** True when the tests of a file have a name: as a title, as a full name, or as a text that stands in for an open title. */
function isNamedIn({ titles, texts }, name) {
  const isFound = (title) => !isOpen(title) && canBeSame(name, title);
  if (titles.some(({ title, fullName }) => isFound(title) || isFound(fullName))) return true;
  return titles.some(({ title }) => isOpen(title)) && [...texts].some((text) => canBeSame(name, text));
}

/** The faults of lines that show without a run, a sentence each. Tests are read from their sources below `root`. */
export function missingTests(lines, root = repository) {
  const titlesOf = createTestTitles(root);
  const records = decisionRecords(root);
  const claims = new Map();
  const faults = [];
  for (const one of lines) {
    for (const fault of faultsOfLine(one, records)) faults.push(`${one.line}: ${fault}`);
    for (const words of new Set(one.tests.map((test) => test.join(': '))))
      claims.set(words, (claims.get(words) ?? 0) + 1);
    for (const [file, name] of one.tests) {
      if (!existsSync(join(root, file))) faults.push(`${one.line}: no such file: ${file}`);
      else if (!isNamedIn(titlesOf(file), name)) faults.push(`${one.line}: no such test: ${file}: ${name}`);
    }
  }
  return [...faults, ...overloaded(claims, (words) => words), ...duplicates(lines)];
}
