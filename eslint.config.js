import boundaries from 'eslint-plugin-boundaries';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/**
 * Who may import whom. Everything that is not allowed here is denied, and `test/boundaries` holds a fixture that breaks
 * the rule to prove that it fires.
 */
const app = (name) => ({ element: { type: 'app', captured: { name } } });
const lib = (name) => ({ element: { type: 'lib', captured: { name } } });
const own = '{{ from.element.captured.name }}';
const allowedImports = [
  { from: app('*'), allow: { to: [app(own), lib('*')] } },
  { from: lib('*'), allow: { to: lib(own) } },
  { from: lib('auth'), allow: { to: lib('errors') } },
  { from: lib('http'), allow: { to: [lib('errors'), lib('settings'), lib('telemetry'), lib('auth')] } },
];

/** What takes memory, and is loaded by processes that need it only. */
const loadedWhereNeeded = {
  patterns: [
    {
      regex: '(^|/)s3/|^@aws-sdk/',
      allowTypeImports: true,
      message: 'Only a bucket needs the client of S3: import() this where one is opened.',
    },
  ],
};

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.data/**', '.cache/**', 'coverage/**', '**/generated/**'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    plugins: { boundaries },
    settings: {
      'boundaries/elements': [
        { type: 'app', pattern: 'apps/*', capture: ['name'] },
        { type: 'lib', pattern: 'libs/*', capture: ['name'] },
      ],
      'boundaries/dependency-nodes': ['import', 'export', 'dynamic-import'],
      'import/resolver': { typescript: { project: 'tsconfig.json' } },
    },
    rules: {
      'boundaries/dependencies': ['error', { default: 'disallow', policies: allowedImports }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      'max-params': 'off',
      '@typescript-eslint/max-params': ['error', { max: 6 }],
    },
  },
  {
    files: ['**/*.spec.ts', '**/test/**'],
    rules: {
      'max-lines-per-function': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // Node runs these as they are and only strips types, so nothing may stand there that makes code.
    files: ['scripts/**', 'test/support/**'],
    rules: { '@typescript-eslint/parameter-properties': ['error', { prefer: 'class-property' }] },
  },
  {
    files: ['apps/provisioner/src/**'],
    ignores: ['**/s3/**'],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', loadedWhereNeeded] },
  },
  { files: ['apps/console/src/**'], ...reactHooks.configs.flat['recommended-latest'] },
  { files: ['**/*.js', '**/*.mjs'], ...tseslint.configs.disableTypeChecked },
);
