import { TestEnvironment } from 'jest-environment-jsdom';

/** What every browser has and jsdom leaves to Node. */
const fromNode = [
  'AbortController',
  'AbortSignal',
  'fetch',
  'FormData',
  'File',
  'Blob',
  'Headers',
  'ReadableStream',
  'Request',
  'Response',
  'TextDecoder',
  'TextEncoder',
  'structuredClone',
];

export default class PageEnvironment extends TestEnvironment {
  constructor(...args) {
    super(...args);
    for (const name of fromNode) this.global[name] = globalThis[name];
  }
}
