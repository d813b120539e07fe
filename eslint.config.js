import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';
import { ambient } from './scripts/lib/ambient.mjs';
import { ownTime } from './scripts/lib/lint-exceptions.mjs';
import { noAddress } from './scripts/lib/no-address.mjs';

const SOURCES = ['libs/**/*.ts', 'services/**/*.ts', 'web/**/*.{ts,tsx}'];
const TESTS = [
  '**/*.spec.{ts,tsx}',
  '{libs,services}/**/{contract,testing,double}/**',
  'web/src/{test,testing}/**',
  'web/e2e/**',
];

export default tseslint.config(
  { ignores: ['dist/', 'web/dist/', 'data/', 'coverage/', '.cache/', '**/generated/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  {
    files: SOURCES,
    extends: [tseslint.configs.strictTypeChecked],
    plugins: { lode: { rules: { ambient, 'no-address': noAddress } } },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // With its comments and all functions inside it.
      'max-lines-per-function': ['error', { max: 70, IIFEs: true }],
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportAllDeclaration', message: 'A door names what it lets through: no `export *`.' },
      ],
      // A void arrow function that answers with a call's nothing is how this code is written.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Numbers are safe in a text; what else has no good text is still refused.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
      // Off: objects here are functions over what they close over; nothing but Nest's classes uses `this`.
      '@typescript-eslint/unbound-method': 'off',
      // Off: a port's functions return promises whether an engine has to wait or not, and `async` makes what is thrown
      // a rejection like every other.
      '@typescript-eslint/require-await': 'off',
      // Off: some ports answer at once or with a promise, whichever they have, and `await` takes both.
      '@typescript-eslint/await-thenable': 'off',
      // Off: it knows `void` neither in a call's type arguments nor as a query that takes nothing.
      '@typescript-eslint/no-invalid-void-type': 'off',
      // Off: what another turn of the event loop changes looks constant to the type checker.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // Off: Nest declares its options as classes and is given literals.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Off: a file's type is told by its first bytes.
      'no-control-regex': 'off',
      // Off because a name that begins with _ says that it is not needed, as in `({ position: _, ...rest })`.
      '@typescript-eslint/no-unused-vars': 'off',
    },
  },
  {
    files: ['{libs,services}/**/*.ts'],
    ignores: ['services/api/application.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@nestjs/cqrs',
              importNames: ['CommandBus', 'QueryBus', 'EventBus', 'EventPublisher'],
              message:
                'Messages are sent by the Bus of #application, which counts them and asserts who may send them.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['web/{src,e2e}/**/*.{ts,tsx}'],
    rules: { 'lode/no-address': 'error' },
  },
  {
    rules: {
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'], location: 'anywhere' }],
    },
  },
  {
    files: ['{libs,services}/**/*.ts'],
    rules: { 'lode/ambient': ['error', ownTime] },
  },
  {
    files: ['services/lode/**'],
    // The program that people start speaks to their terminal.
    rules: { 'no-console': 'off' },
  },
  {
    files: TESTS,
    rules: {
      // Off: a test may put in, and print, what the types can't know.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      // Off: a test that can't be run here says so.
      'no-console': 'off',
      // Off: a test may reject with what is no error, and spread an alphabet that it wrote itself.
      '@typescript-eslint/prefer-promise-reject-errors': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      // Off: a test that finds nothing there fails there.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // A describe is one function however many tests it has.
      'max-lines-per-function': 'off',
      // A test may wait by the machine's own clock, and draw what it likes.
      'lode/ambient': 'off',
    },
  },
  {
    files: ['**/*.spec.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportAllDeclaration', message: 'A door names what it lets through: no `export *`.' },
        {
          selector: "NewExpression[callee.name='Promise'] CallExpression[callee.name='setTimeout']",
          message: 'A test waits for a condition, never for a time.',
        },
        {
          selector:
            "CallExpression[callee.name='expect'] > BinaryExpression.arguments[operator='-'] > CallExpression[callee.property.name='now']",
          message:
            'A test must not expect how long something took: that depends on the machine. Count what happens instead.',
        },
      ],
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: {
        console: 'readonly',
        process: 'readonly',
        URL: 'readonly',
        fetch: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        AbortController: 'readonly',
        Buffer: 'readonly',
        performance: 'readonly',
        AbortSignal: 'readonly',
        FormData: 'readonly',
        Blob: 'readonly',
        WebSocket: 'readonly',
      },
    },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: { require: 'readonly', module: 'writable', __dirname: 'readonly' },
    },
  },
);
