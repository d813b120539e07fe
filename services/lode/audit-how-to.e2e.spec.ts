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
} from './testing/index.js';

const GUIDE = new URL('../../../docs/how-to/audit.md', import.meta.url);

const folder = dataFolder();
const elsewhere = dataFolder();
let program: Listening;

beforeAll(async () => {
  program = await startProgram(folder.path);
});
afterAll(async () => {
  program.child.kill('SIGKILL');
  await program.ended;
  folder.remove();
  elsewhere.remove();
});

test('the guide’s commands, one after the other, print what it says', async () => {
  const admin = await firstAdmin(program);
  const customer = await join(program.visitor, 'Carl');
  const { requestId } = await requestFunding(customer, '100.00');
  const { position } = await confirmFunding(admin, customer, requestId);
  await admin.api.get('totals', { headers: { 'Lode-Position': position } });
  const blocks = [...readFileSync(GUIDE, 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)];
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
  expect(out.trimEnd().split('\n')).toEqual([
    'FundingRequested',
    "[ [ 0, 'FundingConfirmed' ] ]",
    'true',
    '0.00',
    '100.00',
    'true',
    '100.00',
    '2',
  ]);
});
