import { Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import { ForAdministrators } from '../../platform/administration/administrator.js';
import {
  RefusedEntitlementPage,
  RefusedEntitlementResponse,
  RetriedEntitlement,
  SearchRefusedEntitlements,
} from './refused-entitlement.dto.js';
import { RefusedEntitlementsService } from './refused-entitlements.service.js';

/** The administration of refused entitlements. */
@Controller('api/admin/refused-entitlements')
@ForAdministrators()
export class RefusedEntitlementsController {
  constructor(private readonly service: RefusedEntitlementsService) {}

  @Get()
  @ApiOperation({ summary: 'List entitlements that were posted and refused, newest first' })
  @ApiOkResponse({ type: RefusedEntitlementPage })
  search(@Caller() caller: Principal, @Query() query: SearchRefusedEntitlements): Promise<RefusedEntitlementPage> {
    return this.service.search(caller, query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a refused entitlement' })
  @ApiOkResponse({ type: RefusedEntitlementResponse })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<RefusedEntitlementResponse> {
    return this.service.get(caller, id);
  }

  @Post(':id/retry')
  @HttpCode(200)
  @ApiOperation({ summary: 'Retry a refused entitlement as if it were posted again' })
  @ApiOkResponse({ type: RetriedEntitlement })
  retry(@Caller() caller: Principal, @Param('id') id: string): Promise<RetriedEntitlement> {
    return this.service.retry(caller, id);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a refused entitlement from the list; a later post may add it again' })
  remove(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.remove(caller, id);
  }
}
