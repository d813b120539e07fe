import { expect, test } from '@jest/globals';
import { logStart } from '#kernel';
import type { ModelReport } from '#verify';
import { wrongIn } from './verify.js';

test.each<[ModelReport['state'], readonly string[]]>([
  ['equal', []],
  ['different', ['read model accounts: why']],
  ['parked', ['read model accounts: it has parked events']],
  ['other version', []],
  ['missing', []],
])('of a read model that is %s callers are told %j', (state, told) => {
  const model: ModelReport = { model: 'accounts', state, position: logStart, documents: 3, what: 'why' };
  const wrong = wrongIn([], { faults: [] }, [model]);
  expect(wrong.map((one) => one.told)).toEqual(told);
  expect(wrong.map(({ text }) => text)).toEqual(told.map(() => 'read model accounts: why'));
});
