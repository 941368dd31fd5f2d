import { Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
} from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import { ForAdministrators } from '../../platform/administration/administrator.js';
import {
  RefusedEntitlementPage,
  RefusedEntitlementResponse,
  RetriedEntitlement,
  SearchRefusedEntitlements,
} from './refused-entitlement.dto.js';
import { RefusedEntitlementsService } from './refused-entitlements.service.js';

/** What the access-request system claimed and was not done. */
@Controller('api/admin/refused-entitlements')
@ForAdministrators()
export class RefusedEntitlementsController {
  constructor(private readonly service: RefusedEntitlementsService) {}

  @Get()
  @ApiOperation({ summary: 'List entitlements that were posted and refused, the newest first' })
  @ApiOkResponse({ type: RefusedEntitlementPage })
  @ApiBadRequestResponse()
  search(@Caller() caller: Principal, @Query() query: SearchRefusedEntitlements): Promise<RefusedEntitlementPage> {
    return this.service.search(caller, query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a refused entitlement' })
  @ApiOkResponse({ type: RefusedEntitlementResponse })
  @ApiNotFoundResponse()
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<RefusedEntitlementResponse> {
    return this.service.get(caller, id);
  }

  @Post(':id/retry')
  @HttpCode(200)
  @ApiOperation({ summary: 'Take a refused entitlement as if it were posted again' })
  @ApiOkResponse({ type: RetriedEntitlement })
  @ApiNotFoundResponse()
  retry(@Caller() caller: Principal, @Param('id') id: string): Promise<RetriedEntitlement> {
    return this.service.retry(caller, id);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Take a refused entitlement off the list; a later post puts it there again' })
  @ApiNoContentResponse()
  @ApiNotFoundResponse()
  remove(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.remove(caller, id);
  }
}
