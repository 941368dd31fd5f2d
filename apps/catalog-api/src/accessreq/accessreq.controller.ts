import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { CallableByAnyone } from '@rdc/auth';
import { AccessRequestGuard } from './accessreq.guard.js';
import { AccessRequestService, type ElementResult } from './accessreq.service.js';

/** What a post is answered with. The sender takes nothing but 200 for success. */
export interface AccessRequestResponse {
  readonly status: 'Success';
  readonly results: readonly ElementResult[];
}

/** The webhook of the access-request system (catalog interface, section 5). Its guard is the address, not a key. */
@Controller('api/accessreq')
@CallableByAnyone()
@UseGuards(AccessRequestGuard)
export class AccessRequestController {
  constructor(private readonly service: AccessRequestService) {}

  /** Takes entitlements: an array of them, or one. */
  @Post()
  @HttpCode(200)
  async receive(@Body() body: unknown): Promise<AccessRequestResponse> {
    return { status: 'Success', results: await this.service.receive(body) };
  }
}
