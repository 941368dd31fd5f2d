import type { Benchmark, BenchmarkOptions, Measured } from './benchmark.ts';
import { hostileDeliveries, stopsOf, type HostileDelivery } from './deliveries-stage.ts';

/**
 * Measures the longest stop of the service's event loop during a scan, in milliseconds of processor time of its main
 * thread. The elapsed time includes the work of other processes, so it is only printed.
 */
const limitMs = 50;

/** Returns the shortest of three runs, because other work on the machine can only lengthen a stop. */
async function measure(delivery: HostileDelivery, { quick }: BenchmarkOptions): Promise<Measured> {
  const stops: number[] = [];
  for (let run = 0; run < (quick ? 1 : 3); run += 1) {
    const { clockMs, processorMs } = await stopsOf(delivery);
    process.stderr.write(`${delivery.name}: ${clockMs.toFixed(0)} ms of elapsed time\n`);
    stops.push(processorMs);
  }
  const ours = Math.min(...stops);
  return { ours, baseline: limitMs, ratios: [ours / limitMs] };
}

const benchmarks: readonly Benchmark[] = hostileDeliveries.map((delivery) => ({
  name: `delivery: ${delivery.name} / 50 ms`,
  unit: 'ms',
  compares: 'longest stop of the HTTP service (512 MB heap) during a scan of the delivery / the allowed 50 ms',
  goal: 1,
  atMost: true,
  measure: (options) => measure(delivery, options),
}));

export default benchmarks;
