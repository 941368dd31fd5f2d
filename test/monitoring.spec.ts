import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startCatalog } from '../apps/catalog-api/test/catalog.js';
import { TestSystem } from '../apps/provisioner/test/support/system.js';
import { renderedObjects } from './support/rendered-objects.js';

interface Alert {
  alert: string;
  expr: string;
  annotations: { runbook_url: string };
}

interface Recording {
  record: string;
  expr: string;
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
const chart = 'charts/research-data-catalog';
const { groups } = parse(text(`${chart}/files/alerts.yaml`)) as {
  groups: { rules: (Alert | Recording)[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter((rule) => 'alert' in rule);
const recordings = rules.filter((rule) => 'record' in rule);
const adapted = (parse(text(`${chart}/files/adapter-values.yaml`)) as Adapter).rules.external;
const { panels } = JSON.parse(text(`${chart}/files/dashboard.json`)) as Dashboard;
const charts = panels.filter(({ targets }) => targets);

/** Returns the metrics of the services in a query, without recorded ones. Their names begin with one of these words. */
const metricsOf = (query: string): string[] => query.match(/(?<![\w:])(?:catalog|provisioner|rdc)_\w+/g) ?? [];

/** Returns the names in a query that are followed by labels or a range, which are those of metrics. */
const selectedIn = (query: string): string[] => [...query.matchAll(/([\w:]+)(?=[{[])/g)].map(([, name = '']) => name);

/** The metrics of the cluster that an alert uses, limited to namespaces of ours. */
const metricsOfCluster = [
  'container_memory_working_set_bytes',
  'kube_pod_container_resource_limits',
  'kube_cronjob_status_last_successful_time',
  'kube_cronjob_created',
];

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
    ...recordings.map(({ record, expr }) => [record, expr]),
    ...alerts.map(({ alert, expr }) => [alert, expr.replaceAll(/\w+:\w+:\w+/g, 'rdc_build_info')]),
    ...adapted.map(({ name, seriesQuery, metricsQuery }) => [name.as, `${seriesQuery}\n${metricsQuery}`]),
    ...charts.map(({ title, targets = [] }) => [title, targets.map(({ expr }) => expr).join('\n')]),
  ])('should contain only existing metrics: %s', (_, query = '') => {
    expect(metricsOf(query)).not.toEqual([]);
    expect(metricsOf(query).filter((name) => !known.has(name))).toEqual([]);
  });

  it.each(rules.map((rule) => ['alert' in rule ? rule.alert : rule.record, rule.expr]))(
    'should read no metric of other systems: %s',
    (_, query) => {
      const recorded = recordings.map(({ record }) => record);
      const ours = (name: string): boolean => known.has(name) || recorded.includes(name);
      expect(selectedIn(query).filter((name) => !ours(name) && !metricsOfCluster.includes(name))).toEqual([]);
    },
  );

  it('should show every metric of the services in the dashboard', () => {
    const shown = charts.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsOf(expr)));
    const baseOf = (name: string): string => name.replace(/_(bucket|sum|count)$/, '');
    const ours = [...known].filter((name) => /^(catalog|provisioner|rdc_(?!nodejs|process))_/.test(name)).map(baseOf);
    expect(ours.filter((name) => !shown.map(baseOf).includes(name))).toEqual([]);
  });

  it('should scale by a metric of the adapter', () => {
    const [autoscaler] = renderedObjects<Autoscaler>('optional', 'HorizontalPodAutoscaler', 'worker');
    const asked = autoscaler?.spec.metrics.map(({ external }) => external.metric.name);
    expect(asked).toEqual(adapted.map(({ name }) => name.as));
  });

  it('should have exactly one section of the runbook for each alert, to which the alert links', () => {
    const sections = [...text('docs/runbook.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(sections).toEqual(alerts.map(({ alert }) => alert));
    for (const { alert, annotations } of alerts) {
      expect(annotations.runbook_url).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
    }
  });

  it('should link to the runbook at its address when the chart renders the rules', () => {
    const [rule] = renderedObjects<{ spec: { groups: { rules: Partial<Alert>[] }[] } }>(
      'optional',
      'PrometheusRule',
      'alerts',
    );
    const [config] = renderedObjects<{ data: { 'alerts.yaml': string } }>('production', 'ConfigMap', 'alerts');
    const inConfig = parse(config?.data['alerts.yaml'] ?? '') as { groups: { rules: Partial<Alert>[] }[] };
    for (const { groups } of [rule?.spec ?? { groups: [] }, inConfig]) {
      const links = groups.flatMap((group) => group.rules).flatMap(({ annotations }) => annotations?.runbook_url ?? []);
      const root = 'https://docs.example.org/research-data-catalog/runbook.md#';
      expect(links).toEqual(alerts.map(({ alert }) => `${root}${alert.toLowerCase()}`));
    }
  });

  it('should have a test for each alert', () => {
    const { tests } = parse(text(`${chart}/tests/alerts.test.yaml`)) as { tests: { name: string }[] };
    const tested = new Set(tests.map(({ name }) => name.replace(/, .*/, '')));
    expect([...tested]).toEqual(['healthy', ...alerts.map(({ alert }) => alert)]);
  });
});
