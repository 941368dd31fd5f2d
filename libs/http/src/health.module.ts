import { Controller, Get, Inject, Injectable, Module, Res, type DynamicModule, type Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CallableByAnyone } from '@rdc/auth';
import type { FastifyReply } from 'fastify';
import { Registry } from 'prom-client';
import type { EdgeSettings } from './edge.settings.js';
import { addReading } from './metrics/reading.js';
import { ShutdownNotice } from './shutdown-notice.js';
import { within } from './within.js';

/** One dependency a service cannot work without. */
export abstract class ReadinessProbe {
  /** The word under which the answer names it, e.g. `postgres`. */
  abstract readonly dependency: string;

  /** Resolves when it can be used; rejects with a message for the operator when it cannot. */
  abstract check(): Promise<void>;
}

/** What `/health/ready` answers. */
export interface Readiness {
  readonly status: 'ready' | 'not_ready' | 'ending';
  /** `up`, or why not, for every dependency by name. */
  readonly dependencies: Readonly<Record<string, string>>;
}

const probesToken = Symbol('readiness probes');

/** Longer than this a dependency counts as down: a probe must answer before Kubernetes gives up on it. */
const probeTimeoutMs = 2000;

/** Answers Kubernetes' probes. Reached on a service's own port only; no gateway routes it. */
@Controller('health')
@CallableByAnyone()
class HealthController {
  constructor(
    @Inject(probesToken) private readonly probes: readonly ReadinessProbe[],
    private readonly notice: ShutdownNotice,
  ) {}

  /** The process runs and its event loop turns. */
  @Get('live')
  live(): { status: 'alive' } {
    return { status: 'alive' };
  }

  /** 200 when every dependency can be used, else 503 naming those that cannot; 503 too once the service is to end. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const states = await Promise.all(
      this.probes.map(async (probe) => [probe.dependency, await stateOf(probe)] as const),
    );
    const ready = !this.notice.isGiven && states.every(([, state]) => state === 'up');
    void reply.code(ready ? 200 : 503);
    return {
      status: this.notice.isGiven ? 'ending' : ready ? 'ready' : 'not_ready',
      dependencies: Object.fromEntries(states),
    };
  }
}

/** `dependency_up`: what `/health/ready` says, for alerts. */
@Injectable()
class DependencyMetrics {
  constructor(@Inject(probesToken) probes: readonly ReadinessProbe[], registry: Registry) {
    addReading(registry, {
      name: 'dependency_up',
      help: 'Whether a dependency can be used: 1, or 0.',
      label: 'dependency',
      read: async () => {
        const states = probes.map(
          async (probe) => [probe.dependency, (await stateOf(probe)) === 'up' ? 1 : 0] as const,
        );
        return Object.fromEntries(await Promise.all(states));
      },
    });
  }
}

async function stateOf(probe: ReadinessProbe): Promise<string> {
  try {
    await within(probeTimeoutMs, probe.check());
    return 'up';
  } catch (error) {
    return error instanceof Error ? error.message : 'down';
  }
}

/** What the health of a service is made of. */
export interface HealthOptions {
  /** The service's settings. */
  readonly settings: Type<EdgeSettings>;
  /** One class for each dependency; each is made by Nest, so it can inject what it asks. */
  readonly probes: readonly Type<ReadinessProbe>[];
  /** Modules that export what the probes inject. */
  readonly imports?: readonly Type[];
}

/** Adds `/health/live` and `/health/ready` to a service that has `MetricsModule`. */
@Module({})
export class HealthModule {
  static forRoot({ settings, probes, imports = [] }: HealthOptions): DynamicModule {
    return {
      module: HealthModule,
      imports: [...imports],
      controllers: [HealthController],
      providers: [
        ...probes,
        DependencyMetrics,
        { provide: probesToken, useFactory: (...made: ReadinessProbe[]) => made, inject: [...probes] },
        {
          provide: ShutdownNotice,
          useFactory: ({ SHUTDOWN_DELAY }: EdgeSettings, host: HttpAdapterHost) =>
            new ShutdownNotice(SHUTDOWN_DELAY * 1000, host),
          inject: [settings, HttpAdapterHost],
        },
      ],
    };
  }
}
