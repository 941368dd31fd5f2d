import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsOf } from '@rdc/settings';
import { parse, parseAllDocuments } from 'yaml';
import { CatalogSettings, catalogSettings } from '../apps/catalog-api/src/settings.js';
import { routeOf } from '../scripts/gateway/route.ts';

type Environment = Record<string, string>;

interface Compose {
  services: Record<string, { environment?: Environment } | undefined>;
}

interface Generator {
  name: string;
  literals: string[];
}

interface Kustomization {
  configMapGenerator?: Generator[];
  secretGenerator?: Generator[];
  components?: string[];
}

interface ExternalSecret {
  metadata: { name: string };
  spec: { data: { secretKey: string }[] };
}

interface Ingress {
  spec: { rules: { http: { paths: { path: string; backend: { service: { name: string } } }[] } }[] };
}

const top = join(import.meta.dirname, '..');
const text = (file: string): string => readFileSync(join(top, file), 'utf8');
const yaml = (file: string): unknown => parse(text(file), { merge: true });

/** What compose gives a service, with the defaults of `${NAME:-default}`. */
function givenByCompose(service: string): Environment {
  const given = (yaml('docker-compose.yml') as Compose).services[service]?.environment ?? {};
  const filled = Object.entries(given).map(([name, value]) => [name, value.replace(/\$\{\w+:-([^}]*)\}/g, '$1')]);
  return Object.fromEntries(filled) as Environment;
}

/** What a kustomization gives a service by its ConfigMap, its Secret, and out of the vault. */
function givenByKustomize(folder: string, service: string): Environment {
  const {
    configMapGenerator = [],
    secretGenerator = [],
    components,
  } = yaml(`${folder}/kustomization.yaml`) as Kustomization;
  const generated = [...configMapGenerator, ...secretGenerator].filter(({ name }) => name === service);
  const literals = generated.flatMap((each) => each.literals.map((literal) => /^(\w+)=(.*)$/.exec(literal) ?? []));
  return {
    ...Object.fromEntries(literals.map(([, name = '', value = '']) => [name, value])),
    ...(components?.includes('../../components/external-secrets') && keptInTheVault(service)),
  };
}

function keptInTheVault(service: string): Environment {
  const secrets = parseAllDocuments(text('k8s/components/external-secrets/external-secrets.yaml')).map(
    (document) => document.toJS() as ExternalSecret,
  );
  const names =
    secrets.find(({ metadata }) => metadata.name === service)?.spec.data.map((each) => each.secretKey) ?? [];
  const valueOf = (name: string): string => (name.endsWith('_URL') ? 'postgres://vault/name' : name.padEnd(64, 'x'));
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}

const overlays = readdirSync(join(top, 'k8s/overlays')).map((name): [string, Environment] => [
  `k8s/overlays/${name}`,
  { ...givenByKustomize('k8s/base', 'catalog-api'), ...givenByKustomize(`k8s/overlays/${name}`, 'catalog-api') },
]);
const deployments: [string, Environment][] = [
  ['docker-compose.yml, catalog-api', givenByCompose('catalog-api')],
  ['docker-compose.yml, migrate', givenByCompose('migrate')],
  ...overlays,
];

describe('what is deployed', () => {
  it.each(deployments)('should give the catalog settings with which it starts in production: %s', (_, given) => {
    expect(catalogSettings({ NODE_ENV: 'production', ...given }).DATABASE_URL).toBe(given['DATABASE_URL']);
  });

  it.each(deployments)('should give the catalog only settings that it has: %s', (_, given) => {
    expect(settingsOf(CatalogSettings).map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(given)));
  });

  it('should route in Kubernetes as the launcher does', () => {
    const paths = (yaml('k8s/base/ingress.yaml') as Ingress).spec.rules.flatMap(({ http }) => http.paths);
    expect(paths.length).toBeGreaterThan(0);
    for (const { path, backend } of paths) {
      expect([path, routeOf(path).service]).toEqual([path, backend.service.name]);
    }
  });

  it("should route in compose's gateway as the launcher does", () => {
    const gateway = text('compose/gateway.conf.template');
    const locations = [...gateway.matchAll(/location ~ (\S+) \{\s*proxy_pass http:\/\/(\S+);/g)];
    expect(locations.map(([, , service]) => service)).toEqual(['provisioner']);
    const goesToProvisioner = new RegExp(locations[0]?.[1] ?? 'no location');
    const paths = ['/', '/api/datasets', '/docs', '/provisioner', '/datasetsx', '/datasets/srcsys', '/submissions'];
    for (const path of [...paths, '/imports/01/events', '/admin/queues', '/provisioner/docs', '/admin']) {
      expect([path, goesToProvisioner.test(path)]).toEqual([path, routeOf(path).service === 'provisioner']);
    }
  });
});
