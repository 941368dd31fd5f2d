import { Body, Controller, Get, Param, Patch } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { ForAdministrators } from '../../platform/administration/administrator.js';
import { UpdateUseClass, UseClassList, UseClassResponse } from './use-class.dto.js';
import { labelReaders, UseClassesService } from './use-classes.service.js';

/** The labels of consent codes. */
@Controller('api/admin/use-classes')
@ForAdministrators()
@ApiTags('use-classes')
export class UseClassesController {
  constructor(private readonly service: UseClassesService) {}

  @Get()
  @CallableBy(...labelReaders)
  @ApiOperation({
    operationId: 'listUseClasses',
    summary: 'List the consent codes with their labels',
    description: 'Exported datasets contain the label of each code.',
  })
  @ApiOkResponse({ type: UseClassList })
  list(@Caller() caller: Principal): Promise<UseClassList> {
    return this.service.list(caller);
  }

  @Patch(':code')
  @ApiOperation({
    operationId: 'updateUseClass',
    summary: 'Change the label of a consent code',
    description: 'The label changes in every exported dataset.',
  })
  @ApiParam({ name: 'code', description: 'The consent code.', example: 'GRU' })
  @ApiOkResponse({ type: UseClassResponse })
  update(
    @Caller() caller: Principal,
    @Param('code') code: string,
    @Body() body: UpdateUseClass,
  ): Promise<UseClassResponse> {
    return this.service.update(caller, code, body);
  }
}
