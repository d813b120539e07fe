import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { healthTable } from '#application';

type State = { readonly means: string; readonly answer: keyof typeof STATUS };

const PAGE = fileURLToPath(new URL('../../../../docs/how-to/watch.md', import.meta.url));
const STATUS = { degraded: '200 `degraded`', unavailable: '503' } as const;

test('the page says of each part and state what is answered, and nothing else', () => {
  const page = readFileSync(PAGE, 'utf8');
  const from = page.slice(page.indexOf('| part '));
  const [, , ...rows] = from.slice(0, from.indexOf('\n\n')).split('\n');
  const told = rows.map((row) =>
    row
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, 4),
  );
  const parts = Object.entries(healthTable).flatMap(([part, states]) =>
    Object.values<State>(states).map(({ means, answer }) => [part, means, STATUS[answer]]),
  );
  expect(told).toEqual([...parts, ['all', 'otherwise', '200 `ok`']]);
});
