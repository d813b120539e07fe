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
])('a read model that is %s is reported to callers as %j', (state, reported) => {
  const model: ModelReport = { model: 'accounts', state, position: logStart, documents: 3, what: 'why' };
  const wrong = wrongIn([], { faults: [] }, [model]);
  expect(wrong.map((one) => one.told)).toEqual(reported);
  expect(wrong.map(({ text }) => text)).toEqual(reported.map(() => 'read model accounts: why'));
});
