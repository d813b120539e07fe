import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import {
  commandsIn,
  confirmFunding,
  dataFolder,
  firstAdmin,
  join,
  pageOf,
  PNG,
  requestFunding,
  runInShell,
  startProgram,
  type Listening,
  type Person,
} from '../testing/index.js';

/** What each guide to the API prints, on a Lode where one customer was funded with 100 US dollars. */
const guides: readonly (readonly [page: string, prints: readonly string[]])[] = [
  [
    'audit.md',
    [
      'FundingRequested',
      "[ [ 0, 'FundingConfirmed' ] ]",
      'true',
      '0.00',
      '100.00',
      'true',
      '100.00',
      '-100.00',
      'null',
      '2',
      'Ada Miller',
      '0',
    ],
  ],
  [
    'watch.md',
    [
      'ok',
      '0 stand still',
      'lode_transfers_stalled 0',
      'transfers 0, access 0, changes 0, erasure 0',
      'bonus-tick, file-sweep, mail',
      '0',
      '0',
      'hand',
      '0 damaged',
    ],
  ],
  [
    'set-up.md',
    [
      'Data submitted successfully!',
      'Prices updated successfully.',
      'Dollar rate updated successfully.',
      'Bonus policy updated successfully.',
      '0.00',
      'Content updated successfully.',
      '60000.00000000',
      'ContentChanged by Ada Miller',
      'BonusPolicySet by Ada Miller',
      'DollarRateSet by Ada Miller',
      'PricesSet by Ada Miller',
      'DepositDetailsChanged by Ada Miller',
    ],
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
let customer: Person;

beforeAll(async () => {
  program = await startProgram(folder.path);
  admin = await firstAdmin(program);
  customer = await join(program.visitor, 'Carl');
  const { requestId } = await requestFunding(customer, '100.00');
  const { position } = await confirmFunding(admin, customer, requestId);
  await admin.api.get('totals', { headers: { 'Lode-Position': position } });
  // The picture that is uploaded.
  writeFileSync(pathJoin(elsewhere.path, 'hall.png'), PNG);
});
afterAll(async () => {
  program.child.kill('SIGKILL');
  await program.ended;
  await folder.remove();
  await elsewhere.remove();
});

test.each(guides)('the commands of %s, one after the other, print what it says', async (page, prints) => {
  const script = commandsIn(pageOf(`how-to/${page}`))
    .replace('http://localhost:3000', program.visitor.address)
    .replace('paste-the-token-here', admin.api.token ?? '')
    .replace('paste-the-user-id-here', customer.userId);
  const { code, out, err } = await runInShell(script, elsewhere.path);
  expect([code, err]).toEqual([0, '']);
  expect(out.trimEnd().split('\n')).toEqual(prints);
});
