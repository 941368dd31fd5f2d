import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AddressList, networkOf } from '@rdc/auth';
import { AppError } from '@rdc/errors';
import type { FastifyRequest } from 'fastify';
import { FailureLimits } from '../../people/rate-limits/failure-limits.js';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';

/** 403: the webhook is switched off. */
export class WebhookOffError extends AppError {
  constructor() {
    super('accessreq.disabled', 'The access-request webhook is off: set ACCESSREQ_INTEGRATION_ENABLED=true.', {
      details: { setting: 'ACCESSREQ_INTEGRATION_ENABLED' },
    });
  }
}

/** 403: posts are not taken from this address. */
export class AddressRefusedError extends AppError {
  constructor(address: string) {
    super(
      'address.refused',
      `Posts from ${address || 'this address'} are not taken; ACCESSREQ_ALLOWED_IP_ADDRESSES does not name it.`,
      { details: { address } },
    );
  }
}

/** Lets a post through to be read only when the webhook is on and the caller's real address is allowed. */
@Injectable()
export class AccessRequestGuard implements CanActivate {
  private readonly enabled: boolean;
  private readonly allowed: AddressList;

  constructor(
    settings: CatalogSettings,
    private readonly limits: FailureLimits,
  ) {
    this.enabled = settings.ACCESSREQ_INTEGRATION_ENABLED;
    this.allowed = new AddressList(settings.ACCESSREQ_ALLOWED_IP_ADDRESSES);
  }

  /** @throws RateLimitedError for an address whose posts were refused too often */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (!this.enabled) throw new WebhookOffError();
    const { clientAddress } = context.switchToHttp().getRequest<FastifyRequest>();
    if (this.allowed.includes(clientAddress)) return true;
    await this.limits.refusedPosts.recordFailure(networkOf(clientAddress));
    throw new AddressRefusedError(clientAddress);
  }
}
