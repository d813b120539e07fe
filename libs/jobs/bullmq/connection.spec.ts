import { expect, test } from '@jest/globals';
import { LodeError } from '#kernel';
import { isUnreached, watchOutages } from './connection.js';

const failure = () => new LodeError('unavailable', 'Redis cannot be reached.');

function watched() {
  const told: string[] = [];
  const outages = watchOutages();
  outages.onOutage((away) => told.push(away === undefined ? 'back' : 'away'));
  return { outages, told };
}

test('what went well beside a failure does not end the outage, what began after it does', () => {
  const { outages, told } = watched();
  const beside = outages.begin();
  outages.met(failure());
  beside.succeeded();
  outages.met(failure());
  expect(told).toEqual(['away']);
  outages.begin().succeeded();
  expect(told).toEqual(['away', 'back']);
});

test('a connection that is made again ends the outage, once', () => {
  const { outages, told } = watched();
  outages.met(failure());
  outages.ended();
  outages.ended();
  expect(told).toEqual(['away', 'back']);
});

test('a mistake of the program, and what Redis answers, are no outage', () => {
  const ofSocket = Object.assign(new Error('connect ECONNREFUSED'), { syscall: 'connect' });
  const outages = [ofSocket, new Error('Command timed out'), new Error('Connection is closed.')];
  expect(outages.map(isUnreached)).toEqual([true, true, true]);
  const others = [new TypeError('undefined is not a function'), new Error('OOM'), failure(), 'text'];
  expect(others.map(isUnreached)).toEqual([false, false, false, false]);
});
