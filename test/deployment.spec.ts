import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsOf } from '@rdc/settings';
import { parse } from 'yaml';
import { catalogSettings, settingsClasses } from '../apps/catalog-api/src/app/catalog.settings.js';
import { SessionSettings } from '../apps/catalog-api/src/people/sessions/session.settings.js';
import { DatabaseSettings } from '../apps/catalog-api/src/platform/database/database.settings.js';
import { DocumentsSettings } from '../apps/catalog-api/src/publishing/documents/documents.settings.js';
import { provisionerSettings, ProvisionerSettings } from '../apps/provisioner/src/settings/provisioner.settings.js';
import { routeOf } from '../scripts/gateway/route.ts';
import { renderedObjects } from './support/rendered-objects.js';

type Environment = Record<string, string>;

interface Compose {
  services: Record<string, { environment?: Environment; env_file?: unknown } | undefined>;
}

interface Realm {
  clients: { clientId: string; secret?: string; redirectUris?: string[] }[];
}

interface Given {
  readonly data?: Environment;
  readonly stringData?: Environment;
  readonly spec?: { readonly data: readonly { secretKey: string }[] };
}

interface Ingress {
  spec: { rules: { http: { paths: { path: string; backend: { service: { name: string } } }[] } }[] };
}

interface HttpRoute {
  spec: { rules: { matches: { path: { type: string; value: string } }[]; backendRefs: [{ name: string }] }[] };
}

interface NetworkPolicy {
  spec: { egress: { to: unknown[] }[] };
}

interface Pod {
  automountServiceAccountToken: boolean;
  securityContext: unknown;
  containers: unknown[];
}

interface Workload {
  spec: { template?: { spec: Pod }; jobTemplate?: { spec: { template: { spec: Pod } } } };
}

/** Returns the pod that a workload creates. */
function podOf({ metadata, spec: { template, jobTemplate } }: Workload & { metadata: { name: string } }): Pod {
  const made = template ?? jobTemplate?.spec.template;
  if (!made) throw new Error(`${metadata.name} has no pod.`);
  return made.spec;
}

const restricted = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

const top = join(import.meta.dirname, '..');
const text = (file: string): string => readFileSync(join(top, file), 'utf8');
const yaml = (file: string): unknown => parse(text(file), { merge: true });

/** Returns the environment of a service in compose, with the defaults of `${NAME:-default}`. */
function givenByCompose(service: string): Environment {
  const given = (yaml('docker-compose.yml') as Compose).services[service]?.environment ?? {};
  const filled = Object.entries(given).map(([name, value]) => [name, value.replace(/\$\{\w+:-([^}]*)\}/g, '$1')]);
  return Object.fromEntries(filled) as Environment;
}

/** Returns the environment that these ConfigMaps and Secrets of a folder of k8s/overlays contain, including those of the vault. */
function givenByChart(folder: string, names: readonly string[]): Environment {
  const objects = ['ConfigMap', 'Secret', 'ExternalSecret'].flatMap((kind) => renderedObjects<Given>(folder, kind));
  const given = objects.filter(({ metadata }) => names.includes(metadata.name));
  return Object.assign(
    {},
    ...given.map(({ data, stringData, spec }) => {
      return { ...(spec ? keptInTheVault(spec) : data), ...stringData };
    }),
  ) as Environment;
}

const isKeyOfProvisioner = (name: string): boolean => ['PROVISIONER_API_KEY', 'CATALOG_API_KEY'].includes(name);

function keptInTheVault({ data }: { readonly data: readonly { secretKey: string }[] }): Environment {
  const keys = data.map(({ secretKey }) => secretKey);
  const valueOf = (name: string): string => {
    if (name.endsWith('_URL')) return 'postgres://vault/name';
    return isKeyOfProvisioner(name) ? `rdcs_${'x'.repeat(48)}` : name.padEnd(64, 'x');
  };
  return Object.fromEntries(keys.map((name) => [name, valueOf(name)]));
}

const production = { NODE_ENV: 'production' };
const folders = readdirSync(join(top, 'k8s/overlays'));
const catalogs: [string, Environment][] = [
  ['docker-compose.yml, catalog-api', givenByCompose('catalog-api')],
  ['docker-compose.yml, migrate', givenByCompose('migrate')],
  ...folders.map((folder): [string, Environment] => [`k8s/overlays/${folder}`, givenByChart(folder, ['catalog-api'])]),
];
const provisioners: [string, Environment][] = [
  ['docker-compose.yml, provisioner', givenByCompose('provisioner')],
  ['docker-compose.yml, worker', givenByCompose('worker')],
  ...folders.map((folder): [string, Environment] => [
    `k8s/overlays/${folder}`,
    givenByChart(folder, ['provisioner', 'storage-access', 'source-access']),
  ]),
];

describe('deployment files', () => {
  it.each(catalogs)('should give the catalog settings with which it starts in production: %s', (_, given) => {
    const { DATABASE_URL } = catalogSettings({ ...production, ...given }).get(DatabaseSettings);
    expect(DATABASE_URL).toBe(given['DATABASE_URL']);
  });

  it.each(catalogs)('should give the catalog only settings that it has: %s', (_, given) => {
    const known = settingsClasses.flatMap(settingsOf).map(({ name }) => name);
    expect(known).toEqual(expect.arrayContaining(Object.keys(given)));
  });

  it.each(provisioners)('should give the provisioner settings with which it starts in production: %s', (_, given) => {
    expect(provisionerSettings({ ...production, ...given }).STORAGE_URL).toBe(given['STORAGE_URL']);
  });

  it.each(provisioners)('should give the provisioner only settings that it has: %s', (_, given) => {
    const known = settingsOf(ProvisionerSettings).map(({ name }) => name);
    expect(known).toEqual(expect.arrayContaining(Object.keys(given)));
  });

  it.each([
    ['catalog-api', 'catalog.env'],
    ['migrate', 'catalog.env'],
    ['provisioner', 'provisioner.env'],
    ['worker', 'provisioner.env'],
  ])('should accept every setting except its address and port without an edit of compose: %s', (service, file) => {
    const { environment = {}, env_file } = (yaml('docker-compose.yml') as Compose).services[service] ?? {};
    expect(env_file).toEqual([{ path: file, required: false }]);
    const fixed = Object.entries(environment).filter(([, value]) => !value.includes('${'));
    expect(fixed.map(([name]) => name)).toEqual(['HOST', 'PORT']);
  });

  it('should give the catalog the key with which the provisioner calls it', () => {
    const given = givenByCompose('provisioner')['CATALOG_API_KEY'];
    expect(givenByCompose('catalog-api')['PROVISIONER_API_KEY']).toBe(given);
    expect(provisionerSettings({ ...production, ...givenByCompose('provisioner') }).catalogKeyWarning).toBeNull();
    expect(givenByChart('dev', ['catalog-api'])['PROVISIONER_API_KEY']).toBe(
      givenByChart('dev', ['provisioner'])['CATALOG_API_KEY'],
    );
  });

  it('should keep files of settings out of the repository and of images', () => {
    for (const file of ['.gitignore', '.dockerignore']) expect(text(file)).toMatch(/^(\*\*\/)?\*\.env$/m);
  });

  it('should allow DNS requests to a NodeLocal DNSCache, which no selector of pods matches', () => {
    const [names] = renderedObjects<NetworkPolicy>('production', 'NetworkPolicy', 'names');
    expect(names?.spec.egress[0]?.to).toContainEqual({ ipBlock: { cidr: '169.254.20.10/32' } });
  });

  it("should redirect people from compose's Keycloak to the origin that compose serves", () => {
    const [, OIDC_ISSUER = ''] = /OIDC_ISSUER=(\S+)/.exec(text('docker-compose.yml')) ?? [];
    const { services } = yaml('docker-compose.yml') as Compose;
    const { KC_HOSTNAME = '' } = services['keycloak']?.environment ?? {};
    const given = givenByCompose('catalog-api');
    expect(OIDC_ISSUER).toBe(`${KC_HOSTNAME}/realms/${String(given['IDP_REALM'])}`);
    const loaded = catalogSettings({ ...production, ...given, OIDC_ISSUER });
    const settings = loaded.get(SessionSettings);
    expect(settings.OIDC_ISSUER).toBe(OIDC_ISSUER);
    const realm = JSON.parse(text('test/keycloak/realm.json')) as Realm;
    const client = realm.clients.find(({ clientId }) => clientId === settings.OIDC_CLIENT_ID);
    expect(client?.secret).toBe(settings.OIDC_CLIENT_SECRET);
    expect(client?.redirectUris).toContain(
      `${String(loaded.get(DocumentsSettings).SERVER_URL)}/api/session/oidc/callback`,
    );
  });

  it('should store in a bucket when the values set one', () => {
    expect(givenByChart('production-s3', ['provisioner'])['STORAGE_URL']).toMatch(/^s3:/);
  });

  it('should route in Kubernetes like the launcher', () => {
    const [ingress] = renderedObjects<Ingress>('production', 'Ingress');
    const paths = ingress?.spec.rules.flatMap(({ http }) => http.paths) ?? [];
    const everywhere = ['/', '/api', '/docs', '/schemas', '/sitemap.xml', '/robots.txt', '/datasets', '/imports'];
    expect(paths.map(({ path }) => path)).toEqual(expect.arrayContaining(everywhere));
    for (const { path, backend } of paths) {
      expect([path, routeOf(path)?.service]).toEqual([path, backend.service.name]);
    }
    const [route] = renderedObjects<HttpRoute>('optional', 'HTTPRoute');
    const matched = route?.spec.rules.flatMap(({ matches, backendRefs: [{ name }] }) =>
      matches.map(({ path: { value } }) => [value, name]),
    );
    expect(matched).toEqual(paths.map(({ path, backend }) => [path, backend.service.name]));
  });

  it.each(folders)('should run every pod in k8s/overlays/%s under restricted Pod Security', (folder) => {
    const kinds = ['Deployment', 'StatefulSet', 'Job', 'CronJob'];
    const pods = kinds.flatMap((kind) => renderedObjects<Workload>(folder, kind)).map(podOf);
    expect(pods.length).toBeGreaterThanOrEqual(4);
    for (const { securityContext, containers, automountServiceAccountToken } of pods) {
      expect(automountServiceAccountToken).toBe(false);
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      for (const container of containers) {
        const limits = { memory: expect.anything() as unknown, 'ephemeral-storage': expect.anything() as unknown };
        expect(container).toMatchObject({ securityContext: restricted, resources: { limits } });
      }
    }
  });

  it("should route in compose's gateway like the launcher", () => {
    const gateway = text('compose/gateway.conf.template');
    const locations = [...gateway.matchAll(/location ~ (\S+) \{\s*proxy_pass http:\/\/([a-z-]+)/g)];
    expect(locations.map(([, , service]) => service)).toEqual(['provisioner']);
    const goesToProvisioner = new RegExp(locations[0]?.[1] ?? 'no location');
    const paths = [
      '/',
      '/api/datasets',
      '/api/dcat',
      '/sitemap.xml',
      '/robots.txt',
      '/docs',
      '/provisioner',
      '/datasetsx',
      '/datasets/srcsys',
      '/submissions',
    ];
    for (const path of [...paths, '/imports/01/events', '/admin/queues', '/provisioner/docs', '/admin']) {
      expect([path, goesToProvisioner.test(path)]).toEqual([path, routeOf(path)?.service === 'provisioner']);
    }
  });
});
