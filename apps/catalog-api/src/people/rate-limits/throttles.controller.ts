import { Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import { ForAdministrators } from '../../platform/administration/administrator.js';
import { ThrottleList } from './throttle.dto.js';
import { ThrottlesService } from './throttles.service.js';

/** The administration of accounts and networks that are refused after too many failures. */
@Controller('api/admin/throttles')
@ForAdministrators()
@ApiTags('throttles')
export class ThrottlesController {
  constructor(private readonly service: ThrottlesService) {}

  @Get()
  @ApiOperation({
    operationId: 'listThrottles',
    summary: 'List the accounts and networks that are refused after too many failures',
    description: 'A throttle ends by itself when its window ends.',
  })
  @ApiOkResponse({ type: ThrottleList })
  async list(@Caller() caller: Principal): Promise<ThrottleList> {
    return { results: await this.service.list(caller) };
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteThrottle',
    summary: 'Release an account or a network',
    description: 'The failures are removed. Other replicas accept the account or network within ten seconds.',
  })
  release(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.release(caller, id);
  }
}
