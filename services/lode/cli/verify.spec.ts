import { expect, test } from '@jest/globals';
import { logStart } from '#kernel';
import type { ModelReport } from '#verify';
import { wrongIn } from './verify.js';

test.each<[ModelReport['state'], boolean]>([
  ['equal', false],
  ['different', true],
  ['parked', true],
  ['other version', false],
  ['missing', false],
])('a read model that is %s is wrong: %s', (state, isWrong) => {
  const model: ModelReport = { model: 'accounts', state, position: logStart, documents: 3, what: 'why' };
  const wrong = wrongIn([], { faults: [] }, [model]);
  expect(wrong.map(({ text }) => text)).toEqual(isWrong ? ['read model accounts: why'] : []);
});
