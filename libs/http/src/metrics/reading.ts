import { Gauge, type Registry } from 'prom-client';
import { withTimeout } from '../with-timeout.js';

/** Longer than this no reading holds up the others; more than what a readiness probe may take. */
const readingTimeoutMs = 3000;

/** A figure that is read when somebody asks for the metrics. */
export interface Reading {
  readonly name: string;
  readonly help: string;
  /** The name of the label by whose values `read` answers. */
  readonly label?: string;
  /** The figure, or one for each value of the label. What throws, or takes too long, is left out of the answer. */
  readonly read: () => Promise<number | Readonly<Record<string, number>>>;
}

/** Adds a figure to what `/metrics` answers. */
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
