import { Body, Controller, Get, Param, Patch } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import { AllowCurators, ForAdministrators } from '../../platform/administration/administrator.js';
import { UpdateUseClass, UseClassList, UseClassResponse } from './use-class.dto.js';
import { UseClassesService } from './use-classes.service.js';

/** The labels of consent codes. */
@Controller('api/admin/use-classes')
@ForAdministrators()
export class UseClassesController {
  constructor(private readonly service: UseClassesService) {}

  @Get()
  @AllowCurators()
  @ApiOperation({ summary: 'List the consent codes with their labels' })
  @ApiOkResponse({ type: UseClassList })
  list(@Caller() caller: Principal): Promise<UseClassList> {
    return this.service.list(caller);
  }

  @Patch(':code')
  @ApiOperation({ summary: 'Change the label of a consent code in every exported dataset' })
  @ApiOkResponse({ type: UseClassResponse })
  update(
    @Caller() caller: Principal,
    @Param('code') code: string,
    @Body() body: UpdateUseClass,
  ): Promise<UseClassResponse> {
    return this.service.update(caller, code, body);
  }
}
