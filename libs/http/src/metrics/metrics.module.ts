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

/** The identity of a process in its metrics. */
export interface Build {
  /** The name of the service, e.g. `catalog-api`. The label `service` of every metric. */
  readonly service: string;
  readonly version: string;
}

/** The endpoint for Prometheus. It is reachable on the service's own port only, because no gateway routes it. */
@Controller('metrics')
@CallableByAnyone()
class MetricsController {
  constructor(private readonly registry: Registry) {}

  /** Returns every metric of this process in Prometheus' text format. */
  @Get()
  read(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.type(this.registry.contentType).header('Cache-Control', 'no-store');
    return this.registry.metrics();
  }
}

/** A shutdown hook that sends the last spans. Nest shuts a global module down after all other modules. */
@Injectable()
class TracingEnd implements OnApplicationShutdown {
  async onApplicationShutdown(): Promise<void> {
    await tracing.stop();
  }
}

/** Adds `/metrics` to a service. Other modules inject the `Registry` of prom-client and add their metrics to it. */
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

/** Returns a registry whose metrics have the label `service`. Names that other systems use too begin with `rdc_`. */
function registryOf({ service, version }: Build): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, prefix: 'rdc_' });
  new Gauge({
    name: 'rdc_build_info',
    help: 'Always 1. The labels name the service, its version and the version of Node.js.',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version, node: process.version }, 1);
  return registry;
}
