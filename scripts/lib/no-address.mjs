// An ESLint rule: no text of the code names an address of the API. The contract's routes have them all.

/** `/api` as the first part of a path: where a text begins, after a word of it, or after an origin. */
const ADDRESS = /(?:^|[^\w./-]|:\/\/[^/]+)\/api(?:\/|$)/;

export const noAddress = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      typed: 'An address of the API comes from `routes`: `query`, `mutation`, `pathOf`, and `to` in tests.',
    },
  },
  create(context) {
    const check = (node, text) => {
      if (ADDRESS.test(text)) context.report({ node, messageId: 'typed' });
    };
    return {
      Literal: (node) => typeof node.value === 'string' && check(node, node.value),
      TemplateElement: (node) => check(node, node.value.cooked ?? node.value.raw),
      JSXText: (node) => check(node, node.value),
    };
  },
};
