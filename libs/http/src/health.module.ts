import { Controller, Get, Inject, Module, Res, type DynamicModule, type Type } from '@nestjs/common';
import { CallableByAnyone } from '@rdc/auth';
import type { FastifyReply } from 'fastify';

/** One dependency a service cannot work without. */
export abstract class ReadinessProbe {
  /** The word under which the answer names it, e.g. `postgres`. */
  abstract readonly dependency: string;

  /** Resolves when it can be used; rejects with a message for the operator when it cannot. */
  abstract check(): Promise<void>;
}

/** What `/health/ready` answers. */
export interface Readiness {
  readonly status: 'ready' | 'not_ready';
  /** `up`, or why not, for every dependency by name. */
  readonly dependencies: Readonly<Record<string, string>>;
}

const probesToken = Symbol('readiness probes');

/** Longer than this a dependency counts as down: a probe must answer before Kubernetes gives up on it. */
const probeTimeoutMs = 2000;

/** Answers Kubernetes' probes. Reached on a service's own port only; no gateway routes it. */
@Controller('health')
@CallableByAnyone()
export class HealthController {
  constructor(@Inject(probesToken) private readonly probes: readonly ReadinessProbe[]) {}

  /** The process runs and its event loop turns. */
  @Get('live')
  live(): { status: 'alive' } {
    return { status: 'alive' };
  }

  /** 200 when every dependency can be used, else 503 naming those that cannot. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const states = await Promise.all(
      this.probes.map(async (probe) => [probe.dependency, await stateOf(probe)] as const),
    );
    const ready = states.every(([, state]) => state === 'up');
    void reply.code(ready ? 200 : 503);
    return { status: ready ? 'ready' : 'not_ready', dependencies: Object.fromEntries(states) };
  }
}

async function stateOf(probe: ReadinessProbe): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${String(probeTimeoutMs)} ms`));
    }, probeTimeoutMs);
  });
  try {
    await Promise.race([probe.check(), timeout]);
    return 'up';
  } catch (error) {
    return error instanceof Error ? error.message : 'down';
  } finally {
    clearTimeout(timer);
  }
}

/** Adds `/health/live` and `/health/ready` to a service. */
@Module({})
export class HealthModule {
  /** @param probes one class for each dependency; each is made by Nest, so it can inject what it asks */
  static forRoot(probes: readonly Type<ReadinessProbe>[], imports: readonly Type[] = []): DynamicModule {
    return {
      module: HealthModule,
      imports: [...imports],
      controllers: [HealthController],
      providers: [
        ...probes,
        { provide: probesToken, useFactory: (...made: ReadinessProbe[]) => made, inject: [...probes] },
      ],
    };
  }
}
