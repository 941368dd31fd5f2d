import { describedRoutes, type DescribedRoute } from '../scripts/attack/described-routes.ts';
import { hostileRequests, type HostileRequest } from '../scripts/attack/hostile-requests.ts';
import type { Benchmark, BenchmarkOptions, Measured } from './benchmark.ts';
import type { LoopStop } from './loop-watch.ts';
import { withAttackedService, type HostileStage, type Service } from './hostile-stage.ts';

/** Bounds on the stop of an event loop in milliseconds, for a caller without a key and one with the global key. */
const goals = { stranger: 50, 'global key': 250 } as const;

type CallerKind = keyof typeof goals;

/** The worst result of one route. */
interface WorstOfRoute {
  readonly route: DescribedRoute;
  readonly shape: string;
  readonly status: number;
  readonly stop: LoopStop;
}

/** Number of measurements of a stop near its bound. The shortest counts, because other work can only lengthen a stop. */
const repeats = 3;

/**
 * Sends every hostile request to every route of a service and measures the longest stop of its event loop.
 *
 * @throws Error if the service ended
 */
function worstStop(service: Service, caller: CallerKind) {
  return ({ quick }: BenchmarkOptions): Promise<Measured> =>
    withAttackedService(service, async (stage) => {
      const routes = (await describedRoutes(service)).filter((_, at) => !quick || at % 10 === 0);
      const worst: WorstOfRoute[] = [];
      for (const route of routes) {
        const [worstOne] = (await stopsOf(route, stage, caller)).sort((one, other) => other.stop.ms - one.stop.ms);
        if (worstOne) worst.push(worstOne);
        if (!stage.isRunning()) throw new Error(`${service} ended after ${route.method} ${route.path}`);
      }
      process.stderr.write(tableOf(service, caller, worst));
      const ours = Math.max(...worst.map(({ stop }) => stop.ms));
      return { ours, baseline: goals[caller], ratios: [ours / goals[caller]] };
    });
}

async function stopsOf(route: DescribedRoute, stage: HostileStage, caller: CallerKind): Promise<WorstOfRoute[]> {
  const stops: WorstOfRoute[] = [];
  const key = caller === 'stranger' ? undefined : stage.globalKey;
  const id = route.method === 'DELETE' ? '0' : await existingId(route, stage);
  for await (const { shape, send } of hostileRequests(route, { origin: stage.origin, key, id })) {
    let worst = await stopOf(send, stage);
    for (let again = 1; again < repeats && worst.stop.ms > goals[caller] / 2; again += 1) {
      const other = await stopOf(send, stage);
      if (other.stop.ms < worst.stop.ms) worst = other;
    }
    stops.push({ route, shape, ...worst });
  }
  return stops;
}

/** Returns the id of the first record in the list of a path, or `0` if the list is empty. */
async function existingId({ path }: DescribedRoute, { origin, globalKey }: HostileStage): Promise<string> {
  const [list = '', rest] = path.split('/{id}');
  if (rest === undefined || list.includes('{')) return '0';
  const response = await fetch(`${origin}${list}`, { headers: { 'X-API-Key': globalKey } });
  const answer = (await response.json()) as Partial<
    Record<'items' | 'results', { id?: number; id_at_source?: string }[]>
  >;
  const [first] = response.ok ? (answer.items ?? answer.results ?? []) : [];
  return String(first?.id_at_source ?? first?.id ?? 0);
}

async function stopOf(
  send: HostileRequest['send'],
  { longestStop }: HostileStage,
): Promise<Pick<WorstOfRoute, 'status' | 'stop'>> {
  await longestStop();
  const status = await send();
  return { status, stop: await longestStop() };
}

function tableOf(service: Service, caller: CallerKind, worst: readonly WorstOfRoute[]): string {
  const lines = worst.map(({ route, shape, status, stop }) =>
    [
      `${route.method} ${route.path}`.padEnd(62),
      shape.padEnd(26),
      String(status).padStart(3),
      stop.ms.toFixed(1).padStart(9),
      stop.busyMs.toFixed(1).padStart(9),
    ].join('  '),
  );
  return `\n${service}, ${caller}: shape and answer of the longest stop, its ms, and how many of them the service was busy\n${lines.join('\n')}\n`;
}

const benchmarks: readonly Benchmark[] = (['catalog-api', 'provisioner'] as const).flatMap((service) =>
  (Object.keys(goals) as CallerKind[]).map((caller) => ({
    name: `hostile requests: ${service}, ${caller}`,
    unit: 'ms',
    compares: `longest stop of the event loop in ms / the allowed ${String(goals[caller])}`,
    goal: 1,
    atMost: true,
    measure: worstStop(service, caller),
  })),
);

export default benchmarks;
