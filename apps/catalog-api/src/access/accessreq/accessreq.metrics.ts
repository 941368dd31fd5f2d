import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';

/** Counts of posted entitlements, by outcome. */
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

  /** Counts the outcome of each element of a post. */
  count(results: readonly { readonly outcome: string }[]): void {
    for (const { outcome } of results) this.entitlements.inc({ outcome });
  }
}
