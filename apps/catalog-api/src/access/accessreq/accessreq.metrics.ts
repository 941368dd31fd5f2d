import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';

/** What became of the entitlements that the access-request system posted. */
@Injectable()
export class AccessRequestMetrics {
  private readonly entitlements: Counter<'outcome'>;

  constructor(registry: Registry) {
    this.entitlements = new Counter({
      name: 'catalog_accessreq_entitlements_total',
      help: 'Entitlements posted to the webhook, by outcome.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    this.entitlements.inc({ outcome: 'unknown_resource' }, 0);
  }

  /** Counts what was done for each element of a post. */
  count(results: readonly { readonly outcome: string }[]): void {
    for (const { outcome } of results) this.entitlements.inc({ outcome });
  }
}
