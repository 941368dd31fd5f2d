import { Gauge, type Registry } from 'prom-client';
import { withTimeout } from '../with-timeout.js';

/** Time after which a reading is left out of the response; longer than the limit of a readiness probe. */
const readingTimeoutMs = 3000;

/** A metric that is read at every request for `/metrics`. */
export interface Reading {
  readonly name: string;
  readonly help: string;
  /** The name of the label whose values are the keys of the object that `read` returns. */
  readonly label?: string;
  /** Returns the value, or a value for each label. If this throws or takes too long, the metric is left out. */
  readonly read: () => Promise<number | Readonly<Record<string, number>>>;
}

/** Adds a reading to the metrics of a process. */
export function addReading(registry: Registry, { name, help, label, read }: Reading): void {
  new Gauge({
    ...{ name, help, labelNames: label === undefined ? [] : [label], registers: [registry] },
    async collect() {
      const value = await withTimeout(readingTimeoutMs, read()).catch(() => ({}));
      if (typeof value === 'number') {
        this.set(value);
        return;
      }
      if (label === undefined) this.remove();
      else this.reset();
      for (const [key, figure] of Object.entries(value)) this.set({ [label ?? '']: key }, figure);
    },
  });
}
