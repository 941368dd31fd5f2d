import boundaries from 'eslint-plugin-boundaries';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { layers } from './layers.ts';

/**
 * Allowed imports between applications, libraries and the layers of an application. Every other import is denied.
 * `test/boundaries` holds an import in each denied direction and proves that the rule reports it.
 */
const entry = (app) => ({ element: { type: 'app', captured: { app } } });
const lib = (name) => ({ element: { type: 'lib', captured: { name } } });

/** Returns the selectors of folders of an application. A name with two parts is a folder of a wing. */
const folders = (app, names) =>
  names.map((path) => {
    const [first, second] = path.split('/');
    if (second === undefined) return { element: { type: 'folder', captured: { app, name: first } } };
    return { element: { type: 'wing folder', captured: { wing: first, name: second } } };
  });

const anyFolder = (app) => [
  { element: { type: 'folder', captured: { app } } },
  ...(app === 'catalog-api' ? [{ element: { type: 'wing folder' } }] : []),
];

/** Returns the folders that a folder of the layer at `index` may import from: itself and all lower layers. */
const importableFrom = (app, rows, index, name) => folders(app, [name, ...rows.slice(index + 1).flat()]);

const layeredImports = Object.entries(layers).flatMap(([app, rows]) => [
  { from: entry(app), allow: { to: [entry(app), ...anyFolder(app), lib('*')] } },
  ...rows.flatMap((row, index) =>
    row.map((name) => ({
      from: folders(app, [name]),
      allow: { to: [...importableFrom(app, rows, index, name), lib('*')] },
    })),
  ),
]);

const withoutLayers = (...apps) =>
  apps.map((app) => ({
    from: [entry(app), ...anyFolder(app)],
    allow: { to: [entry(app), ...anyFolder(app), lib('*')] },
  }));

const importsOfTests = withoutLayers('console', ...Object.keys(layers));

const allowedImports = [
  ...layeredImports,
  ...withoutLayers('console'),
  { from: lib('*'), allow: { to: lib('{{ from.element.captured.name }}') } },
  { from: lib('auth'), allow: { to: lib('errors') } },
  { from: lib('http'), allow: { to: [lib('errors'), lib('settings'), lib('telemetry'), lib('auth')] } },
];

/** Packages that take much memory, so that only the processes that need them load them. */
const loadedWhereNeeded = {
  patterns: [
    {
      regex: '(^|/)s3/|^@aws-sdk/',
      allowTypeImports: true,
      message: 'Only a bucket needs the client of S3: import() this where one is opened.',
    },
  ],
};

/** The parts of TypeORM that services may import. Statements belong in repositories (decision 0041). */
const transactionsOnly = {
  paths: [
    {
      name: 'typeorm',
      allowImportNames: ['DataSource', 'EntityManager', 'QueryRunner'],
      message: 'Only entities, repositories and platform/database use entities and statements.',
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
        { type: 'wing folder', pattern: 'apps/catalog-api/src/*/*', capture: ['wing', 'name'] },
        { type: 'folder', pattern: 'apps/*/src/*', capture: ['app', 'name'] },
        { type: 'app', pattern: 'apps/*', capture: ['app'] },
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
    // Tests also import from `test/` of their application and from higher layers.
    files: ['apps/*/src/**/*.spec.ts'],
    rules: { 'boundaries/dependencies': ['error', { default: 'disallow', policies: importsOfTests }] },
  },
  {
    files: ['**/*.spec.ts', '**/test/**'],
    rules: {
      'max-lines-per-function': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // Node only strips the types of these files, so syntax that generates code is not allowed.
    files: ['scripts/**', 'test/support/**'],
    rules: { '@typescript-eslint/parameter-properties': ['error', { prefer: 'class-property' }] },
  },
  {
    files: ['apps/provisioner/src/**'],
    ignores: ['**/s3/**'],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', loadedWhereNeeded] },
  },
  {
    files: ['apps/catalog-api/src/**'],
    ignores: ['**/*.entity.ts', '**/*.repository.ts', '**/platform/database/**', '**/*.spec.ts'],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', transactionsOnly] },
  },
  { files: ['apps/console/src/**'], ...reactHooks.configs.flat['recommended-latest'] },
  { files: ['**/*.js', '**/*.mjs'], ...tseslint.configs.disableTypeChecked },
);
