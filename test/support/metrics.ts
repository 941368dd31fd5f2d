/** A figure of Prometheus' text format by its name and labels as they are written there, e.g. `up{job="a"}`. */
export type Figures = ReadonlyMap<string, number>;

/** What a service on a port of its own says of itself at `/metrics`. */
export async function metricsAt(url: string): Promise<Figures> {
  const response = await fetch(`${url}/metrics`);
  const text = await response.text();
  if (!response.ok) throw new Error(`/metrics answered ${String(response.status)}: ${text}`);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** The names of metrics, without the endings that a histogram's parts have. */
export function namesOf(figures: Figures): Set<string> {
  return new Set([...figures.keys()].map((key) => key.replace(/\{.*/, '')));
}
