import { Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
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
@ApiTags('access-requests')
export class RefusedEntitlementsController {
  constructor(private readonly service: RefusedEntitlementsService) {}

  @Get()
  @ApiOperation({
    operationId: 'listRefusedEntitlements',
    summary: 'List entitlements that were posted and refused, newest first',
    description: 'A later post that succeeds removes the entitlement from the list.',
  })
  @ApiOkResponse({ type: RefusedEntitlementPage })
  search(@Caller() caller: Principal, @Query() query: SearchRefusedEntitlements): Promise<RefusedEntitlementPage> {
    return this.service.search(caller, query);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getRefusedEntitlement',
    summary: 'Show a refused entitlement',
    description: 'The response contains the reason of the refusal and the posted entitlement.',
  })
  @ApiOkResponse({ type: RefusedEntitlementResponse })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<RefusedEntitlementResponse> {
    return this.service.get(caller, id);
  }

  @Post(':id/retry')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'retryRefusedEntitlement',
    summary: 'Retry a refused entitlement as if it were posted again',
    description: 'If the entitlement is accepted, it leaves the list.',
  })
  @ApiOkResponse({ type: RetriedEntitlement })
  retry(@Caller() caller: Principal, @Param('id') id: string): Promise<RetriedEntitlement> {
    return this.service.retry(caller, id);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteRefusedEntitlement',
    summary: 'Remove a refused entitlement from the list; a later post may add it again',
    description: 'The entitlement itself is not changed at the access-request system.',
  })
  remove(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.remove(caller, id);
  }
}
