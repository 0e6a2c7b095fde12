import tseslint from 'typescript-eslint';

export default tseslint.config(
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
      // `as` may narrow a literal (`as const`), never silence the compiler.
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // An arrow that returns a void call is the plainest way to write a callback.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Everything is closures over plain objects: no method here knows a `this` to lose.
      '@typescript-eslint/unbound-method': 'off',
      // TypeORM takes the options of an EntitySchema as a plain literal.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // `const { dropped: _, ...rest }` leaves a field out.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { ignoreRestSiblings: true, argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      // Handlers are async by contract whether or not they await.
      '@typescript-eslint/require-await': 'off',
      // Type parameters carry the schema types of an operation through to its handler.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      'no-restricted-syntax': [
        'error',
        { selector: 'Decorator', message: 'No decorators: EntitySchema values and plain functions.' },
      ],
    },
  },
  {
    // Registration of declared names by module augmentation wants an interface that only extends.
    rules: { '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }] },
  },
  {
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-unused-expressions': 'off' },
  },
  { files: ['eslint.config.js'], ...tseslint.configs.disableTypeChecked },
);
