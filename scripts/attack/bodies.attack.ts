import { setTimeout as pause } from 'node:timers/promises';
import type { Attack, Finding, Target } from './attack.ts';
import { describedRoutes, type DescribedRoute } from './described-routes.ts';
import { hostileRequests } from './hostile-requests.ts';

/** Bounds on the stop of a service, in milliseconds, by the caller that sends the hostile request. */
const bounds = { stranger: 50, 'global key': 250 } as const;

/** Milliseconds that a probe takes on a busy machine through a gateway, in addition to the stop of the service. */
const allowanceMs = 100;

/** Milliseconds between two probes. */
const probePauseMs = 5;

/** Of a stop above its bound this many are measured, and the shortest counts. */
const repeats = 3;

type CallerKind = keyof typeof bounds;

/** Where a service is reached, and a path of it that any caller may read and that needs no database. */
interface Place {
  readonly service: 'catalog-api' | 'provisioner';
  /** Path before those of the service. */
  readonly base: string;
  readonly probe: string;
}

const places: readonly Place[] = [
  { service: 'catalog-api', base: '', probe: '/schemas' },
  { service: 'provisioner', base: '/provisioner', probe: '/provisioner/datasets/srcsys' },
];

/** Sends hostile headers, queries and bodies to every route while another caller asks for something small. */
const attack: Attack = {
  name: 'bodies',
  async *run(target) {
    for (const place of places) {
      for (const route of await describedRoutes(place.service)) {
        for (const caller of ['stranger', 'global key'] as const) yield await worstOf(target, place, route, caller);
      }
    }
  },
};

export default attack;

async function worstOf(target: Target, place: Place, route: DescribedRoute, caller: CallerKind): Promise<Finding> {
  const maxStopMs = bounds[caller] + allowanceMs;
  const key = caller === 'stranger' ? undefined : target.globalKey;
  let worst = { shape: '', status: 0, stopMs: 0 };
  let faults = 0;
  // The id 0 names no record, so that nothing of the attacked system is changed.
  const attacked = { origin: `${target.origin}${place.base}`, key, id: '0' };
  for await (const { shape, send } of hostileRequests(route, attacked)) {
    const probe = `${target.origin}${place.probe}`;
    let measured = await measure(probe, send);
    for (let again = 1; again < repeats && measured.stopMs > maxStopMs; again += 1) {
      const other = await measure(probe, send);
      if (other.stopMs < measured.stopMs) measured = other;
    }
    if (measured.status >= 500 && measured.status !== unavailable) faults += 1;
    if (measured.stopMs >= worst.stopMs) worst = { shape, ...measured };
  }
  return {
    attack: `${caller}: ${worst.shape}`,
    route: `${route.method} ${place.base}${route.path}`,
    answer: `${String(worst.status)}${faults > 0 ? `, and ${String(faults)} answers 500` : ''}`,
    stopMs: worst.stopMs,
    maxStopMs,
    withstood: worst.stopMs <= maxStopMs && faults === 0,
  };
}

/** Status of a service that a dependency keeps from answering. */
const unavailable = 503;

/** Returns the answer, and the longest that the probe of another caller waited meanwhile. */
async function measure(probe: string, send: () => Promise<number>): Promise<{ status: number; stopMs: number }> {
  let stopMs = 0;
  let isUnderWay = true;
  const probing = async (): Promise<void> => {
    while (isUnderWay) {
      const begun = performance.now();
      const response = await fetch(probe).catch(() => undefined);
      await response?.arrayBuffer();
      stopMs = Math.max(stopMs, performance.now() - begun);
      await pause(probePauseMs);
    }
  };
  const probed = probing();
  const status = await send();
  isUnderWay = false;
  await probed;
  return { status, stopMs };
}
