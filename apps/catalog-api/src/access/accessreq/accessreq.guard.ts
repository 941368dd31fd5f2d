import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AddressList, networkOf } from '@rdc/auth';
import { AppError } from '@rdc/errors';
import type { FastifyRequest } from 'fastify';
import { FailureLimits } from '../../people/rate-limits/failure-limits.js';
import { AccessRequestSettings } from './accessreq.settings.js';

/** 403: the webhook is disabled. */
export class WebhookOffError extends AppError {
  constructor() {
    super('accessreq.disabled', 'The access-request webhook is off: set ACCESSREQ_INTEGRATION_ENABLED=true.', {
      details: { setting: 'ACCESSREQ_INTEGRATION_ENABLED' },
    });
  }
}

/** 403: posts from this address are not accepted. */
export class AddressRefusedError extends AppError {
  constructor(address: string) {
    super(
      'address.refused',
      `Posts from ${address || 'this address'} are not accepted: add the address to ACCESSREQ_ALLOWED_IP_ADDRESSES.`,
      { details: { address } },
    );
  }
}

/** Admits a post only if the webhook is on and the address of the sender is allowed. */
@Injectable()
export class AccessRequestGuard implements CanActivate {
  private readonly enabled: boolean;
  private readonly allowed: AddressList;

  constructor(
    settings: AccessRequestSettings,
    private readonly limits: FailureLimits,
  ) {
    this.enabled = settings.ACCESSREQ_INTEGRATION_ENABLED;
    this.allowed = new AddressList(settings.ACCESSREQ_ALLOWED_IP_ADDRESSES);
  }

  /** @throws RateLimitedError if too many posts from the network of the sender were refused */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (!this.enabled) throw new WebhookOffError();
    const { clientAddress } = context.switchToHttp().getRequest<FastifyRequest>();
    if (this.allowed.includes(clientAddress)) return true;
    await this.limits.refusedPosts.recordFailure(networkOf(clientAddress));
    throw new AddressRefusedError(clientAddress);
  }
}
