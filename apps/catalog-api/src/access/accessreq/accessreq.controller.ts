import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { CallableByAnyone } from '@rdc/auth';
import { BodyLimit } from '@rdc/http';
import { AccessRequestGuard } from './accessreq.guard.js';
import { AccessRequestService, type ElementResult } from './accessreq.service.js';

/** Maximum bytes of a post, about ten thousand entitlements. */
const maxPostBytes = 1024 * 1024;

/** The answer to a post. The sender takes only the status 200 as success. */
export interface AccessRequestResponse {
  readonly status: 'Success';
  readonly results: readonly ElementResult[];
}

/**
 * The webhook of the access-request system. The guard checks the address of the sender, not a key, before the body is
 * read.
 */
@Controller('api/accessreq')
@CallableByAnyone()
@UseGuards(AccessRequestGuard)
export class AccessRequestController {
  constructor(private readonly service: AccessRequestService) {}

  /** Accepts one entitlement or an array of entitlements. */
  @Post()
  @HttpCode(200)
  @BodyLimit(maxPostBytes)
  async receive(@Body() body: unknown): Promise<AccessRequestResponse> {
    return { status: 'Success', results: await this.service.receive(body) };
  }
}
