import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsOf } from '@rdc/settings';
import { parse, parseAllDocuments } from 'yaml';
import { CatalogSettings } from '../apps/catalog-api/src/settings.js';
import { routeOf } from '../scripts/gateway/route.ts';

const top = join(import.meta.dirname, '..');
const catalogNames = settingsOf(CatalogSettings).map(({ name }) => name);

interface Compose {
  services: Record<string, { environment?: Record<string, string> }>;
}

interface Kustomization {
  configMapGenerator?: { name: string; literals: string[] }[];
  secretGenerator?: { name: string; literals: string[] }[];
}

interface Ingress {
  spec: { rules: { http: { paths: { path: string; backend: { service: { name: string } } }[] } }[] };
}

const text = (file: string): string => readFileSync(join(top, file), 'utf8');
const yaml = (file: string): unknown => parse(text(file), { merge: true });
const kustomizations = ['k8s/base', ...readdirSync(join(top, 'k8s/overlays')).map((name) => `k8s/overlays/${name}`)];

describe('what is deployed', () => {
  it('should give catalog-api only settings that it has, in compose', () => {
    const { services } = yaml('docker-compose.yml') as Compose;
    const given = [services['catalog-api'], services['migrate']].flatMap((each) =>
      Object.keys(each?.environment ?? {}),
    );
    expect(given).toContain('DATABASE_URL');
    expect(catalogNames).toEqual(expect.arrayContaining(given));
  });

  it.each(kustomizations)('should give catalog-api only settings that it has, in %s', (folder) => {
    const { configMapGenerator = [], secretGenerator = [] } = yaml(`${folder}/kustomization.yaml`) as Kustomization;
    const literals = [...configMapGenerator, ...secretGenerator].filter(({ name }) => name === 'catalog-api');
    const given = literals.flatMap((each) => each.literals.map((literal) => literal.split('=')[0]));
    expect(given.length).toBeGreaterThan(0);
    expect(catalogNames).toEqual(expect.arrayContaining(given));
  });

  it('should take from the vault only settings that catalog-api has', () => {
    const secrets = parseAllDocuments(text('k8s/components/external-secrets/external-secrets.yaml')).map(
      (document) => document.toJS() as { metadata: { name: string }; spec: { data: { secretKey: string }[] } },
    );
    const given = secrets
      .find(({ metadata }) => metadata.name === 'catalog-api')
      ?.spec.data.map((each) => each.secretKey);
    expect(catalogNames).toEqual(expect.arrayContaining(given ?? ['no such secret']));
  });

  it('should route in Kubernetes as the launcher does', () => {
    const paths = (yaml('k8s/base/ingress.yaml') as Ingress).spec.rules.flatMap(({ http }) => http.paths);
    expect(paths.length).toBeGreaterThan(0);
    for (const { path, backend } of paths) {
      expect([path, routeOf(path).service]).toEqual([path, backend.service.name]);
    }
  });

  it("should route in compose's gateway as the launcher does", () => {
    const locations = [
      ...text('compose/gateway.conf.template').matchAll(/location ~ (\S+) \{\s*proxy_pass http:\/\/(\S+);/g),
    ];
    expect(locations.map(([, , service]) => service)).toEqual(['provisioner']);
    const goesToProvisioner = new RegExp(locations[0]?.[1] ?? 'no location');
    const paths = ['/', '/api/datasets', '/docs', '/provisioner', '/datasetsx', '/datasets/srcsys', '/submissions'];
    for (const path of [...paths, '/imports/01/events', '/admin/queues', '/provisioner/docs', '/admin']) {
      expect([path, goesToProvisioner.test(path)]).toEqual([path, routeOf(path).service === 'provisioner']);
    }
  });
});
