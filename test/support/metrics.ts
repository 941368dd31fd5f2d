/** The values of Prometheus' text format by name and labels, e.g. `up{job="a"}`. */
export type Figures = ReadonlyMap<string, number>;

/** Returns the metrics of a service from `/metrics`, without the label `service`, which all of them have. */
export async function metricsAt(url: string): Promise<Figures> {
  const response = await fetch(`${url}/metrics`);
  const text = await response.text();
  if (!response.ok) throw new Error(`GET /metrics failed with status ${String(response.status)}: ${text}`);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      const labelled = line.slice(0, end).replace(/service="[^"]*",?/, '');
      const key = labelled.replace(/,?\}$/, '}').replace(/\{\}$/, '');
      return [key, Number(line.slice(end + 1))];
    }),
  );
}

/** Returns the names of metrics without the suffixes of a histogram's parts. */
export function namesOf(figures: Figures): Set<string> {
  return new Set([...figures.keys()].map((key) => key.replace(/\{.*/, '')));
}
