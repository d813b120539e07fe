import { describe, expect, test } from '@jest/globals';
import { isPage, pagePaths } from './pages.js';

describe('a page', () => {
  test.each(Object.values(pagePaths))('is at %s', (path) => {
    const real = path.replace(/:\w+/g, '6b6ef24e-c963-4c05-9566-5a06bded8743');
    expect(isPage(real)).toBe(true);
    expect(isPage(`${real}/`)).toBe(true);
    expect(isPage(real.toUpperCase())).toBe(true);
    expect(isPage(`${real}/no/more`)).toBe(false);
  });

  test.each([
    '/nope',
    '/robots.txt',
    '/auth',
    '/auth/dashboard/nobody',
    '/fund-request-history',
    '/fund-request-history/not%20an%20id',
    `/fund-request-history/${'a'.repeat(65)}`,
    '//login',
    '/login.html',
  ])('is not at %s', (path) => {
    expect(isPage(path)).toBe(false);
  });
});
