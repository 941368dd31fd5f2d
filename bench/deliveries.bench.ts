import type { Benchmark, BenchmarkOptions, Measured } from './benchmark.ts';
import { hostileDeliveries, stopsOf, type HostileDelivery } from './deliveries-stage.ts';

/**
 * The longest stop of the service's event loop while it scans a delivery that no request names, in milliseconds of
 * processor time of its main thread. By the clock, a stop also counts what other processes take; that goes to stderr.
 */
const limitMs = 50;

/** The least of three runs: other work on the machine can only make a stop longer. */
async function measure(delivery: HostileDelivery, { quick }: BenchmarkOptions): Promise<Measured> {
  const stops: number[] = [];
  for (let run = 0; run < (quick ? 1 : 3); run += 1) {
    const { clockMs, processorMs } = await stopsOf(delivery);
    process.stderr.write(`${delivery.name}: ${clockMs.toFixed(0)} ms by the clock\n`);
    stops.push(processorMs);
  }
  const ours = Math.min(...stops);
  return { ours, baseline: limitMs, ratios: [ours / limitMs] };
}

const benchmarks: readonly Benchmark[] = hostileDeliveries.map((delivery) => ({
  name: `delivery: ${delivery.name} / 50 ms`,
  unit: 'ms',
  compares: 'the longest stop of the HTTP service while a scan reads the delivery, of a heap of 512 MB / 50 ms',
  goal: 1,
  atMost: true,
  measure: (options) => measure(delivery, options),
}));

export default benchmarks;
