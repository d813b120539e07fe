import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import {
  confirmFunding,
  dataFolder,
  firstAdmin,
  join,
  requestFunding,
  startProgram,
  type Listening,
  type Person,
} from './testing/index.js';

const HOW_TO = new URL('../../../docs/how-to/', import.meta.url);

/** The guides to the API, and what their commands print. */
const guides: readonly (readonly [page: string, prints: readonly string[]])[] = [
  [
    'audit.md',
    ['FundingRequested', "[ [ 0, 'FundingConfirmed' ] ]", 'true', '0.00', '100.00', 'true', '100.00', '2'],
  ],
  [
    'bulk.md',
    [
      '2 of 3 adjustments are applied.',
      "[ 'applied', 'applied', 'account_not_found' ]",
      '[ true, true, undefined ]',
      "[ 'group_refused', 'insufficient_balance', 'account_not_found' ]",
    ],
  ],
];

const folder = dataFolder();
const elsewhere = dataFolder();
let program: Listening;
let admin: Person;

beforeAll(async () => {
  program = await startProgram(folder.path);
  admin = await firstAdmin(program);
});
afterAll(async () => {
  program.child.kill('SIGKILL');
  await program.ended;
  folder.remove();
  elsewhere.remove();
});

test.each(guides)('the commands of %s, one after the other, print what it says', async (page, prints) => {
  const customer = await join(program.visitor, 'Carl');
  const { requestId } = await requestFunding(customer, '100.00');
  const { position } = await confirmFunding(admin, customer, requestId);
  await admin.api.get('totals', { headers: { 'Lode-Position': position } });
  const blocks = [...readFileSync(new URL(page, HOW_TO), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)];
  const script = blocks
    .map(([, block = '']) => block)
    .join('\n')
    .replace('http://localhost:3000', program.visitor.address)
    .replace('paste-the-token-here', admin.api.token ?? '')
    .replace('paste-the-user-id-here', customer.userId);

  const shell = spawn('bash', ['-e', '-u', '-o', 'pipefail', '-c', script], {
    cwd: elsewhere.path,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, 'close') as Promise<[number]>,
  ]);
  expect([code, err]).toEqual([0, '']);
  expect(out.trimEnd().split('\n')).toEqual(prints);
});
