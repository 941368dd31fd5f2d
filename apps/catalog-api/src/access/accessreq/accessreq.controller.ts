import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { CallableByAnyone } from '@rdc/auth';
import { BodyLimit } from '@rdc/http';
import { AccessRequestGuard } from './accessreq.guard.js';
import { AccessRequestService, type ElementResult } from './accessreq.service.js';

/** Bytes of a post: some ten thousand entitlements. */
const maxPostBytes = 1024 * 1024;

/** Answer to a post. The sender accepts no other status than 200 as success. */
export interface AccessRequestResponse {
  readonly status: 'Success';
  readonly results: readonly ElementResult[];
}

/**
 * Webhook of the access-request system (catalog interface, section 5). Its guard checks the address, not a key, before
 * anything of the body is read.
 */
@Controller('api/accessreq')
@CallableByAnyone()
@UseGuards(AccessRequestGuard)
export class AccessRequestController {
  constructor(private readonly service: AccessRequestService) {}

  /** Takes entitlements: an array of them, or one. */
  @Post()
  @HttpCode(200)
  @BodyLimit(maxPostBytes)
  async receive(@Body() body: unknown): Promise<AccessRequestResponse> {
    return { status: 'Success', results: await this.service.receive(body) };
  }
}
