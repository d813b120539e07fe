// An ESLint rule: how long a function is without the functions inside it. A factory that returns functions over a
// closure is as long as the sum of them, and each of them is measured by itself.

const KINDS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** The lines that a node's code stands on: no blank ones, none with a comment alone. */
function linesOf(source, node) {
  const lines = new Set();
  for (const { loc } of source.getTokens(node)) {
    for (let line = loc.start.line; line <= loc.end.line; line++) lines.add(line);
  }
  return lines;
}

export const ownLines = {
  meta: {
    type: 'suggestion',
    schema: [{ type: 'object', properties: { max: { type: 'integer' } }, additionalProperties: false }],
    messages: {
      long: 'This function has {{count}} lines of its own; {{max}} are enough for anybody to follow.',
    },
  },
  create(context) {
    const { max } = context.options[0];
    const inner = [];
    const enter = () => inner.push(new Set());
    const leave = (node) => {
      const within = inner.pop();
      const all = linesOf(context.sourceCode, node);
      const count = [...all].filter((line) => !within.has(line)).length;
      if (count > max) context.report({ node, messageId: 'long', data: { count, max } });
      // The line on which a function begins belongs to the one around it too.
      for (const line of all) if (line > node.loc.start.line) inner.at(-1)?.add(line);
    };
    return Object.fromEntries(
      KINDS.flatMap((kind) => [
        [kind, enter],
        [`${kind}:exit`, leave],
      ]),
    );
  },
};
