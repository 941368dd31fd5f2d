import { Controller, Get, Inject, Injectable, Module, Res, type DynamicModule, type Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CallableByAnyone } from '@rdc/auth';
import type { FastifyReply } from 'fastify';
import { Registry } from 'prom-client';
import type { EdgeSettings } from './edge.settings.js';
import { addReading } from './metrics/reading.js';
import { ShutdownNotice } from './shutdown-notice.js';
import { withTimeout } from './with-timeout.js';

/** One dependency a service cannot work without. */
export abstract class ReadinessProbe {
  /** The word under which the answer names it, e.g. `postgres`. */
  abstract readonly dependency: string;

  /**
   * Resolves when it can be used; rejects with a message for the operator when it cannot.
   *
   * @throws ReadOnlyDependencyError if the service can still answer reads
   */
  abstract check(): Promise<void>;
}

/** A dependency that can be read and cannot be written; the message is for the operator. */
export class ReadOnlyDependencyError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ReadOnlyDependencyError';
  }
}

/** The answer of `/health/ready`. */
export interface Readiness {
  /** `degraded`: reads are answered and writes are refused, so a balancer must keep sending requests. */
  readonly status: 'ready' | 'degraded' | 'not_ready' | 'ending';
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

  /**
   * 200 if every dependency can be used, or can at least be read (`degraded`). Else 503, naming those that cannot; 503 as
   * well once the service is to end.
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

/** `dependency_up`: what `/health/ready` says, for alerts. */
@Injectable()
class DependencyMetrics {
  constructor(@Inject(probesToken) probes: readonly ReadinessProbe[], registry: Registry) {
    addReading(registry, {
      name: 'dependency_up',
      help: 'Whether a dependency can be read and written: 1, or 0.',
      label: 'dependency',
      read: async () => {
        const states = await Promise.all(probes.map(stateOf));
        return Object.fromEntries(states.map(({ dependency, health }) => [dependency, health === 'up' ? 1 : 0]));
      },
    });
  }
}

/** A dependency as a probe has found it. */
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
