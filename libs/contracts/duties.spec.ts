import { describe, expect, test } from '@jest/globals';
import { mayDo, mayOf, type AdminAct, type duties } from './duties.js';

const acts = Object.keys(mayOf) as AdminAct[];
const actsOf = (duty: (typeof duties)[number]) => acts.filter((act) => mayDo(duty, act));

describe('the matrix of duties', () => {
  test('lets an owner do everything, and an auditor look', () => {
    expect(actsOf('owner')).toEqual(acts);
    expect(actsOf('auditor')).toEqual(['read']);
  });

  test('parts money from people', () => {
    expect(actsOf('finance').filter((act) => actsOf('support').includes(act))).toEqual(['read']);
  });
});
