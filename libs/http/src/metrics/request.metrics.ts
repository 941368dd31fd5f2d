import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { IdentifiedRequest } from '@rdc/auth';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, Histogram, Registry } from 'prom-client';
import { routeOf } from '../route-of.js';

/** Upper bounds in seconds, from an indexed read to a response that is too slow. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Rate, errors and duration of requests by route template. A path is never a label, so that callers cannot create
 * labels.
 */
@Injectable()
export class RequestMetrics implements OnModuleInit {
  private readonly durations: Histogram<'method' | 'route' | 'status'>;
  private readonly wrongKeys: Counter;

  constructor(
    private readonly host: HttpAdapterHost,
    registry: Registry,
  ) {
    this.durations = new Histogram({
      name: 'rdc_http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last byte of its response.',
      labelNames: ['method', 'route', 'status'],
      buckets,
      registers: [registry],
    });
    this.wrongKeys = new Counter({
      name: 'rdc_http_wrong_keys_total',
      help: 'Requests with an unknown key.',
      registers: [registry],
    });
  }

  onModuleInit(): void {
    const instance = this.host.httpAdapter.getInstance<FastifyInstance>();
    instance.addHook('onResponse', (request: FastifyRequest & IdentifiedRequest, reply, done) => {
      const status = `${String(Math.floor(reply.statusCode / 100))}xx`;
      this.durations.observe({ method: request.method, route: routeOf(request), status }, reply.elapsedTime / 1000);
      if (request.principal?.kind === 'unknown') this.wrongKeys.inc();
      done();
    });
  }
}
