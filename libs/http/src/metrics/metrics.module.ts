import {
  Controller,
  Get,
  Global,
  Injectable,
  Module,
  Res,
  type DynamicModule,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { CallableByAnyone } from '@rdc/auth';
import { tracing } from '@rdc/telemetry';
import type { FastifyReply } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { RequestMetrics } from './request.metrics.js';

/** What a process says of itself in its metrics. */
export interface Build {
  /** Which of our services it is, e.g. `catalog-api`. */
  readonly service: string;
  readonly version: string;
}

/** Answers Prometheus. Reached on a service's own port only; no gateway routes it. */
@Controller('metrics')
@CallableByAnyone()
class MetricsController {
  constructor(private readonly registry: Registry) {}

  /** Every metric of this process, in Prometheus' text format. */
  @Get()
  read(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.type(this.registry.contentType).header('Cache-Control', 'no-store');
    return this.registry.metrics();
  }
}

/** Sends the last spans. As its module is a global one, this comes after everything else has ended. */
@Injectable()
class TracingEnd implements OnApplicationShutdown {
  async onApplicationShutdown(): Promise<void> {
    await tracing.stop();
  }
}

/** Adds `/metrics` to a service; everything in it injects `Registry` of prom-client and adds its own to that. */
@Global()
@Module({})
export class MetricsModule {
  static forRoot(build: Build): DynamicModule {
    return {
      module: MetricsModule,
      controllers: [MetricsController],
      providers: [{ provide: Registry, useFactory: () => registryOf(build) }, RequestMetrics, TracingEnd],
      exports: [Registry],
    };
  }
}

function registryOf({ service, version }: Build): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['service', 'version', 'node'],
    registers: [registry],
  }).set({ service, version, node: process.version }, 1);
  return registry;
}
