import { readdirSync } from 'node:fs';
import tseslint from 'typescript-eslint';

/** The products and the parts of core: a file imports from its own by a relative path, and from all others by `#`. */
const parts = ['core', 'plugins'].flatMap((top) =>
  readdirSync(new URL(top, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${top}/${name}`),
);

export default tseslint.config(
  { linterOptions: { noInlineConfig: true } },
  { ignores: ['dist/', 'var/', '**/*.gen.ts', '*.cjs'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      'max-lines': ['error', { max: 400 }],
      // For comments; Prettier wraps code, but not strings.
      'max-len': [
        'error',
        { code: 1_000, comments: 120, ignoreUrls: true, ignoreStrings: true, ignoreTemplateLiterals: true },
      ],
      // Only `as const`: other assertions silence the compiler.
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // Callbacks may return a void call: `(error) => log(error)`.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Methods are closures over plain objects and do not use `this`.
      '@typescript-eslint/unbound-method': 'off',
      // openid-client marks it only to be noticed: plain http is for test environments
      // (plugins/auth/oauth/configure.ts).
      '@typescript-eslint/no-deprecated': [
        'error',
        { allow: [{ from: 'package', package: 'openid-client', name: 'allowInsecureRequests' }] },
      ],
      // TypeORM takes the options of an EntitySchema as a plain literal.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // `const { omitted: _, ...rest }` omits a field.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { ignoreRestSiblings: true, argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      // Handlers are async by contract, also without an await.
      '@typescript-eslint/require-await': 'off',
      // Type parameters carry an operation's schema types to its handler.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      'no-restricted-syntax': [
        'error',
        { selector: 'Decorator', message: 'No decorators: EntitySchema values and plain functions.' },
      ],
    },
  },
  {
    // Each product adds its errors and events to an empty interface by declaration merging, with interfaces that only
    // extend.
    rules: {
      '@typescript-eslint/no-empty-object-type': [
        'error',
        { allowInterfaces: 'with-single-extends', allowWithName: '^Declared(Errors|Events)$' },
      ],
    },
  },
  {
    // The console's app runs in browsers and has a tsconfig of its own.
    files: ['core/surfaces/console/{kit,app}/**/*.{ts,tsx}', 'plugins/*/console/**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: false, project: './tsconfig.console.json' } },
  },
  ...parts.map((part) => ({
    files: [`${part}/**/*.{ts,tsx}`],
    // A `declare module` cannot import by a relative path: TypeScript would take the type for `any`.
    ignores: ['**/*.d.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: `^#${part}/`, message: `Within ${part}, import by a relative path.` }] },
      ],
    },
  })),
  {
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-unused-expressions': 'off' },
  },
  // These tests call operations that only a tree with the example has; test/surfaces/new-plugin.test.ts checks their
  // types there.
  { files: ['eslint.config.js', 'examples/plugin/test/**/*.ts'], ...tseslint.configs.disableTypeChecked },
);
