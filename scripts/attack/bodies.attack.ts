import type { Attack, Finding, Target } from './attack.ts';
import { describedRoutes, type DescribedRoute } from './described-routes.ts';
import { hostileRequests, type HostileRequest } from './hostile-requests.ts';
import { StopProbe, whileProbed } from './stop-probe.ts';

/** Bounds on the stop of a service, in milliseconds, by the caller that sends the hostile request. */
const bounds = { stranger: 50, 'global key': 250 } as const;

/** Number of measurements of a stop above its bound. The shortest counts. */
const repeats = 3;

/** Milliseconds for which one service is attacked by one kind of caller. */
const patienceMs = 120_000;

type CallerKind = keyof typeof bounds;

/** A service, and a path of it that is answered without its database. */
interface Place {
  readonly service: 'catalog-api' | 'provisioner';
  readonly probe: string;
}

const places: readonly Place[] = [
  { service: 'catalog-api', probe: '/schemas' },
  { service: 'provisioner', probe: '/imports/storage' },
];

/** The worst result of one route. */
interface Worst {
  readonly shape: string;
  readonly status: number;
  readonly stopMs: number;
}

/** Sends hostile headers, queries and bodies to every route while another caller sends small requests. */
const attack: Attack = {
  name: 'bodies',
  async *run(target) {
    for (const place of places) {
      const probe = await StopProbe.start({ url: `${target.origin}${place.probe}`, key: target.globalKey });
      try {
        yield probe.noise;
        const routes = await describedRoutes(place.service);
        for (const caller of ['stranger', 'global key'] as const) yield* attackRoutes(target, probe, caller, routes);
      } finally {
        await probe.end();
      }
    }
  },
};

export default attack;

async function* attackRoutes(
  target: Target,
  probe: StopProbe,
  caller: CallerKind,
  routes: readonly DescribedRoute[],
): AsyncIterable<Finding> {
  const until = performance.now() + patienceMs;
  for (const [at, route] of routes.entries()) {
    if (performance.now() > until) {
      const answer = `${String(routes.length - at)} routes were not attacked: the time limit was reached`;
      yield { attack: caller, route: `${route.method} ${route.path} ...`, answer, withstood: 'not run' };
      return;
    }
    yield await worstOf(target, probe, caller, route, at);
  }
}

/** @param turn number that selects the way of each shape, so that every way is tried on some routes */
async function worstOf(
  { origin, globalKey }: Target,
  probe: StopProbe,
  caller: CallerKind,
  route: DescribedRoute,
  turn: number,
): Promise<Finding> {
  const maxStopMs = probe.boundWithNoise(bounds[caller]);
  const key = caller === 'stranger' ? undefined : globalKey;
  let worst: Worst = { shape: '', status: 0, stopMs: 0 };
  const faults = new Set<string>();
  // The id 0 names no record, so that nothing of the attacked system is changed.
  for await (const request of hostileRequests(route, { origin, key, id: '0' }, turn)) {
    const measured = await measure(probe, request, maxStopMs);
    if (isFault(measured.status)) faults.add(`${request.shape}: ${String(measured.status)}`);
    if (measured.stopMs >= worst.stopMs) worst = measured;
  }
  return {
    attack: `${caller}: ${worst.shape}`,
    route: `${route.method} ${route.path}`,
    answer: [worst.status, ...faults].join(', '),
    stopMs: worst.stopMs,
    maxStopMs,
    withstood: worst.stopMs <= maxStopMs && faults.size === 0,
  };
}

/** Returns the shortest of three stops, or the first within its bound. Other work can only lengthen a stop. */
async function measure(probe: StopProbe, { shape, send }: HostileRequest, maxStopMs: number): Promise<Worst> {
  let least: Worst | undefined;
  for (let times = 0; times < repeats && (least?.stopMs ?? Infinity) > maxStopMs; times += 1) {
    const { result: status, stopMs } = await whileProbed(probe, send);
    if (!least || stopMs < least.stopMs || isFault(status)) least = { shape, status, stopMs };
  }
  return least ?? { shape, status: 0, stopMs: 0 };
}

/** Whether a status means a missing answer or a fault. The status 503 is expected if a dependency is down. */
function isFault(status: number): boolean {
  return status === 0 || (status >= 500 && status !== 503);
}
