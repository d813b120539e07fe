import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ESLint, Linter } from 'eslint';
import { routes } from '#contracts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
let config: Linter.Config;

beforeAll(async () => {
  const found: unknown = await new ESLint({ cwd: root }).calculateConfigForFile('web/src/api/accounts.ts');
  const { plugins, rules } = found as Required<Pick<Linter.Config, 'plugins' | 'rules'>>;
  config = { plugins: { lode: plugins['lode']! }, rules: { 'lode/no-address': rules['lode/no-address'] } };
});

/** What is refused in a source of web, by the rule as it is set for it. */
const refused = (code: string) => new Linter().verify(code, [config]).map(({ ruleId }) => ruleId);

const address = routes.totals.path;
const [, first, rest] = address.split('/');

describe('a source of web', () => {
  test.each([
    ['a text', `fetch('${address}')`],
    ['a text with a method before it', `serve({ 'GET ${address}': answer })`],
    ['a text of another origin', `fetch('https://lode.example${address}')`],
    ['a template', `fetch(\`${address}/\${userId}\`)`],
    ['the end of a template', `fetch(\`\${origin}${address}\`)`],
    ['a part of an address', `fetch('/${first}' + '/${rest}')`],
  ])('names no address of the API in %s', (_where, code) => {
    expect(refused(code)).toEqual(['lode/no-address']);
  });

  test.each([
    ['a module', `import { api } from '../${first}/api';`],
    ['a page', `navigate('/auth/dashboard')`],
    ['an address in a comment', `// what ${address} answers`],
    ['other words', `fetch('/${first}s/x', 'rapid/${first}-x')`],
  ])('names %s', (_what, code) => {
    expect(refused(code)).toEqual([]);
  });
});
