/**
 * Layers of an application, from top to bottom. Each name is a folder of the application's `src`; the catalog's folders
 * are grouped in wings, so their names have two parts. A file imports from its own folder and from the folders of lower
 * layers, never from another folder of its own layer or from a higher layer. Files next to the folders, such as
 * `main.ts`, are entry points: each may import from every folder.
 *
 * The lint rule reads this list (`eslint.config.js`), and `docs/architecture.md` draws it.
 */
export const layers: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'catalog-api': [
    ['app'],
    ['app/daisy'],
    [
      ...['app/backup', 'app/bulk', 'app/changes', 'app/console', 'app/events', 'app/openapi'],
      ...['app/overview', 'app/rebuild'],
    ],
    ['access/accesses', 'access/exposures'],
    ['access/accessreq', 'access/endpoints', 'access/grants'],
    ['access/introspection', 'access/permissions', 'access/service-keys'],
    ['records/search'],
    ['records/record-lists'],
    ['records/terms', 'records/use-classes'],
    ['records/definitions'],
    ['records/contracts', 'records/datasets'],
    ['records/cohorts', 'records/projects'],
    ['records/contacts', 'records/custodians', 'records/linked-data'],
    ['records/partners', 'records/platforms'],
    ['people/users-admin'],
    ['people/keys', 'people/oidc-login', 'people/own-account', 'people/password-links', 'people/session-lists'],
    ['people/sessions'],
    ['people/account-sync', 'people/second-factor'],
    ['people/identity-provider', 'people/rate-limits', 'people/users'],
    ['publishing/writing'],
    ['publishing/audit', 'publishing/schemas', 'publishing/visibility'],
    ['publishing/documents'],
    ['platform/lists', 'platform/properties'],
    ['platform/database'],
    ['platform/command-line', 'platform/secrets'],
    ['platform/administration', 'platform/jobs', 'platform/json', 'platform/settings'],
  ],
  provisioner: [
    ['cli'],
    ['submissions', 'schedule'],
    ['datasets'],
    ['inventory', 'imports', 'import-runs', 'health'],
    ['scan', 'fixity', 'post-import', 'request-log', 'limits'],
    ['storage', 'source'],
    ['s3', 'copy', 'queue'],
    ['model', 'http'],
    ['posix', 'concurrency', 'process', 'settings'],
  ],
};
