import { Controller, Get, Inject, Injectable, Module, Res, type DynamicModule, type Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CallableByAnyone } from '@rdc/auth';
import type { FastifyReply } from 'fastify';
import { Registry } from 'prom-client';
import type { EdgeSettings } from './edge.settings.js';
import { addReading } from './metrics/reading.js';
import { ShutdownNotice } from './shutdown-notice.js';
import { withTimeout } from './with-timeout.js';

/** A check of a dependency that the service needs. */
export abstract class ReadinessProbe {
  /** The name of the dependency in the response, e.g. `postgres`. */
  abstract readonly dependency: string;

  /**
   * Resolves if the dependency is available, and rejects with a message for the operator if it is not.
   *
   * @throws ReadOnlyDependencyError if the service can still answer reads
   */
  abstract check(): Promise<void>;
}

/** An error for a dependency that is read-only. The message is for the operator. */
export class ReadOnlyDependencyError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ReadOnlyDependencyError';
  }
}

/** The response of `/health/ready`. */
export interface Readiness {
  /** If `degraded`, reads are served and writes are refused, so a load balancer must continue to send requests. */
  readonly status: 'ready' | 'degraded' | 'not_ready' | 'ending';
  /** The state of every dependency by name: `up`, or the reason of the failure. */
  readonly dependencies: Readonly<Record<string, string>>;
}

const probesToken = Symbol('readiness probes');

/** Time after which a dependency counts as down. Kubernetes waits longer for the response of a probe. */
const probeTimeoutMs = 2000;

/**
 * The endpoints for Kubernetes' probes. They are reachable on the service's own port only, because no gateway routes
 * them.
 */
@Controller('health')
@CallableByAnyone()
class HealthController {
  constructor(
    @Inject(probesToken) private readonly probes: readonly ReadinessProbe[],
    private readonly notice: ShutdownNotice,
  ) {}

  /** Reports that the process and its event loop run. */
  @Get('live')
  live(): { status: 'alive' } {
    return { status: 'alive' };
  }

  /**
   * Answers 200 if every dependency is available, or at least readable (`degraded`). Answers 503 if a dependency is
   * down, or if the service is shutting down.
   */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const states = await Promise.all(this.probes.map(stateOf));
    const isDown = states.some(({ health }) => health === 'down');
    const status = this.notice.isGiven
      ? 'ending'
      : isDown
        ? 'not_ready'
        : states.some(({ health }) => health === 'read_only')
          ? 'degraded'
          : 'ready';
    void reply.code(status === 'ready' || status === 'degraded' ? 200 : 503);
    return { status, dependencies: Object.fromEntries(states.map(({ dependency, text }) => [dependency, text])) };
  }
}

/** The metric `rdc_dependency_up`, which reports the results of the probes for alerts. */
@Injectable()
class DependencyMetrics {
  constructor(@Inject(probesToken) probes: readonly ReadinessProbe[], registry: Registry) {
    addReading(registry, {
      name: 'rdc_dependency_up',
      help: '1 if the dependency can be read and written, otherwise 0.',
      label: 'dependency',
      read: async () => {
        const states = await Promise.all(probes.map(stateOf));
        return Object.fromEntries(states.map(({ dependency, health }) => [dependency, health === 'up' ? 1 : 0]));
      },
    });
  }
}

/** The result of a probe. */
interface ProbedState {
  readonly dependency: string;
  readonly health: 'up' | 'read_only' | 'down';
  /** `up`, or the reason for the operator. */
  readonly text: string;
}

async function stateOf(probe: ReadinessProbe): Promise<ProbedState> {
  const { dependency } = probe;
  try {
    await withTimeout(probeTimeoutMs, probe.check());
    return { dependency, health: 'up', text: 'up' };
  } catch (error) {
    const health = error instanceof ReadOnlyDependencyError ? 'read_only' : 'down';
    return { dependency, health, text: error instanceof Error ? error.message : 'down' };
  }
}

/** The options of {@link HealthModule}. */
export interface HealthOptions {
  /** The service's settings. */
  readonly settings: Type<EdgeSettings>;
  /** One class for each dependency. Nest creates the probes, so they can inject providers. */
  readonly probes: readonly Type<ReadinessProbe>[];
  /** Modules that export the providers of the probes. */
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
