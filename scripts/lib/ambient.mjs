// An ESLint rule: time, timers and randomness come in from outside (`Clock`, `Timers` and `Random` of #kernel), so that
// tests can choose them. The files that may reach for the machine's own are named in lint-exceptions.mjs, each with why;
// one that does so no longer is to be taken off that list.
import { relative } from 'node:path';

const PROPERTIES = new Map([
  ['Date', ['now']],
  ['Math', ['random']],
  ['performance', ['now', 'timeOrigin']],
  ['crypto', ['randomUUID', 'randomBytes', 'randomInt', 'getRandomValues']],
]);
const TIMERS = ['setTimeout', 'setInterval', 'setImmediate'];
const MODULES = new Map([
  [
    'crypto',
    [
      'randomUUID',
      'randomBytes',
      'randomInt',
      'randomFill',
      'randomFillSync',
      'getRandomValues',
      'webcrypto',
    ],
  ],
  ['timers', TIMERS],
  ['timers/promises', [...TIMERS, 'scheduler']],
  ['perf_hooks', ['performance']],
]);

export const ambient = {
  meta: {
    type: 'problem',
    schema: [{ type: 'object', additionalProperties: { type: 'string' } }],
    messages: {
      ambient: '{{what}} is the machine’s own: take a Clock, Timers or Random of #kernel from outside.',
      idle: 'This file needs nothing of the machine’s own any more: take it off the list in scripts/lib/lint-exceptions.mjs.',
    },
  },
  create(context) {
    const file = relative(context.cwd, context.filename).replaceAll('\\', '/');
    const isListed = Object.hasOwn(context.options[0], file);
    let count = 0;
    const report = (node, what) => {
      count += 1;
      if (!isListed) context.report({ node, messageId: 'ambient', data: { what } });
    };
    /** Whether a name means the global, and nothing that the file declares or imports. */
    const isGlobal = (node) => {
      for (let scope = context.sourceCode.getScope(node); scope !== null; scope = scope.upper)
        if (scope.set.get(node.name)?.defs.length > 0) return false;
      return true;
    };
    return {
      MemberExpression(node) {
        const { object, property } = node;
        if (object.type !== 'Identifier' || !isGlobal(object)) return;
        if (PROPERTIES.get(object.name)?.includes(property.name))
          report(node, `${object.name}.${property.name}`);
      },
      NewExpression(node) {
        if (node.callee.name === 'Date' && node.arguments.length === 0) report(node, 'new Date()');
      },
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== 'Identifier' || !isGlobal(callee)) return;
        if (callee.name === 'Date' || TIMERS.includes(callee.name)) report(node, `${callee.name}()`);
      },
      ImportSpecifier(node) {
        const { parent, imported } = node;
        const names = MODULES.get(String(parent.source.value).replace(/^node:/, ''));
        if (names?.includes(imported.name)) report(node, `${imported.name} of ${parent.source.value}`);
      },
      'Program:exit'(node) {
        if (isListed && count === 0) context.report({ node, messageId: 'idle' });
      },
    };
  },
};
