import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startCatalog } from '../apps/catalog-api/test/catalog.js';
import { TestSystem } from '../apps/provisioner/test/support/system.js';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { runbook_url: string };
}

/** The rules of prometheus-adapter, and the autoscaler that reads its metrics. */
interface Adapter {
  rules: { external: { seriesQuery: string; name: { as: string }; metricsQuery: string }[] };
}

interface Autoscaler {
  spec: { metrics: { external: { metric: { name: string } } }[] };
}

interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[];
}

const text = (file: string): string => readFileSync(join(import.meta.dirname, '..', file), 'utf8');
const { groups } = parse(text('k8s/components/monitoring/alerts.yaml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const scaling = (file: string): unknown => parse(text(`k8s/components/queue-autoscaler/${file}`));
const adapted = (scaling('adapter-values.yaml') as Adapter).rules.external;
const { panels } = JSON.parse(text('k8s/components/monitoring/dashboard.json')) as Dashboard;
const charts = panels.filter(({ targets }) => targets);

/** Returns the metrics of a query. The metrics of the services and of their processes begin with one of these words. */
const metricsOf = (query: string): string[] =>
  query.match(/\b(?:build|catalog|dependency|http|nodejs|process|provisioner)_\w+/g) ?? [];

describe('alerts and dashboard', () => {
  const known = new Set<string>();

  beforeAll(async () => {
    const catalog = await startCatalog();
    const system = await TestSystem.create();
    await system.startServer();
    const worker = await system.startWorker();
    for (const url of [catalog.url, system.url, await worker.getUrl()]) {
      const answer = await (await fetch(`${url}/metrics`)).text();
      for (const [, name = '', type] of answer.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
        for (const part of type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']) known.add(`${name}${part}`);
      }
    }
    await system.stop();
    await catalog.stop();
  }, 60_000);

  it.each([
    ...rules.map(({ alert, expr }) => [alert, expr]),
    ...adapted.map(({ name, seriesQuery, metricsQuery }) => [name.as, `${seriesQuery}\n${metricsQuery}`]),
    ...charts.map(({ title, targets = [] }) => [title, targets.map(({ expr }) => expr).join('\n')]),
  ])('should contain only existing metrics: %s', (_, query = '') => {
    expect(metricsOf(query)).not.toEqual([]);
    expect(metricsOf(query).filter((name) => !known.has(name))).toEqual([]);
  });

  it('should show every metric of the services in the dashboard', () => {
    const shown = charts.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsOf(expr)));
    const baseOf = (name: string): string => name.replace(/_(bucket|sum|count)$/, '');
    const ours = [...known].filter((name) => /^(catalog|dependency|http|provisioner)_/.test(name)).map(baseOf);
    expect(ours.filter((name) => !shown.map(baseOf).includes(name))).toEqual([]);
  });

  it('should scale by a metric of the adapter', () => {
    const asked = (scaling('autoscaler.yaml') as Autoscaler).spec.metrics.map(({ external }) => external.metric.name);
    expect(asked).toEqual(adapted.map(({ name }) => name.as));
  });

  it('should have exactly one section of the runbook for each alert, to which the alert links', () => {
    const sections = [...text('docs/runbook.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(sections).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook_url).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
    }
  });

  it('should have a test for each alert', () => {
    const { tests } = parse(text('k8s/components/monitoring/alerts.test.yaml')) as { tests: { name: string }[] };
    expect(tests.map(({ name }) => name)).toEqual(['healthy', ...rules.map(({ alert }) => alert)]);
  });
});
