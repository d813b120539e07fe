// An ESLint rule: how many lines a function has from its first to its last, with its comments and all functions inside
// it. The functions that are longer yet are named in the configuration; one that has become short enough, or that is gone,
// is to be taken off that list.
import { relative } from 'node:path';

const KINDS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** What a function is called: by itself, or by what it is the value of. */
function nameOf({ id, parent }) {
  const named = id ?? (parent?.type === 'VariableDeclarator' ? parent.id : parent?.key);
  return named?.name ?? 'anonymous';
}

export const functionLines = {
  meta: {
    type: 'suggestion',
    schema: [
      {
        type: 'object',
        properties: {
          max: { type: 'integer' },
          longer: { type: 'array', items: { type: 'string' }, uniqueItems: true },
        },
        additionalProperties: false,
      },
    ],
    messages: {
      long: '{{name}} has {{count}} lines; {{max}} are enough for anybody to follow.',
      short: '{{entry}} has at most {{max}} lines: take it off the list of longer functions.',
    },
  },
  create(context) {
    const { max, longer = [] } = context.options[0];
    const file = relative(context.cwd, context.filename).replaceAll('\\', '/');
    const listed = new Set(longer.filter((entry) => entry.startsWith(`${file}#`)));
    const check = (node) => {
      const count = node.loc.end.line - node.loc.start.line + 1;
      if (count <= max) return;
      const name = nameOf(node);
      if (listed.delete(`${file}#${name}`)) return;
      context.report({ node, messageId: 'long', data: { name, count, max } });
    };
    return {
      ...Object.fromEntries(KINDS.map((kind) => [kind, check])),
      'Program:exit': (node) => {
        for (const entry of listed) context.report({ node, messageId: 'short', data: { entry, max } });
      },
    };
  },
};
