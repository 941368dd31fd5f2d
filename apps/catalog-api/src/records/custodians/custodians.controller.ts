import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import { ForAdministrators } from '../../platform/administration/administrator.js';
import { CustodiansResponse, SetCustodians, SetProjectCustodians } from './custodians.dto.js';
import { CustodiansService } from './custodians.service.js';

/** The custodians of projects, datasets and contracts, and the personnel of projects. */
@Controller('api/admin')
@ForAdministrators()
@ApiTags('custodians')
export class CustodiansController {
  constructor(private readonly service: CustodiansService) {}

  @Get('projects/:id/custodians')
  @ApiOperation({
    operationId: 'getProjectCustodians',
    summary: 'Show the custodians and the personnel of a project',
    description: 'Custodians are responsible for the record. Personnel works in the project.',
  })
  @ApiOkResponse({ type: CustodiansResponse })
  getOfProject(@Caller() caller: Principal, @Param('id') id: string): Promise<CustodiansResponse> {
    return this.service.get(caller, 'projects', id);
  }

  @Get('datasets/:id/custodians')
  @ApiOperation({
    operationId: 'getDatasetCustodians',
    summary: 'Show the custodians of a dataset',
    description: 'Custodians are responsible for the record.',
  })
  @ApiOkResponse({ type: CustodiansResponse })
  getOfDataset(@Caller() caller: Principal, @Param('id') id: string): Promise<CustodiansResponse> {
    return this.service.get(caller, 'datasets', id);
  }

  @Get('contracts/:id/custodians')
  @ApiOperation({
    operationId: 'getContractCustodians',
    summary: 'Show the custodians of a contract',
    description: 'Custodians are responsible for the record.',
  })
  @ApiOkResponse({ type: CustodiansResponse })
  getOfContract(@Caller() caller: Principal, @Param('id') id: string): Promise<CustodiansResponse> {
    return this.service.get(caller, 'contracts', id);
  }

  @Put('projects/:id/custodians')
  @ApiOperation({
    operationId: 'replaceProjectCustodians',
    summary: 'Replace the custodians and the personnel of a project',
    description: 'The lists contain ids of users. If `personnel` is absent, the personnel stays unchanged.',
  })
  @ApiOkResponse({ type: CustodiansResponse })
  replaceOfProject(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: SetProjectCustodians,
  ): Promise<CustodiansResponse> {
    return this.service.replace(caller, 'projects', id, body);
  }

  @Put('datasets/:id/custodians')
  @ApiOperation({
    operationId: 'replaceDatasetCustodians',
    summary: 'Replace the custodians of a dataset',
    description: 'The list contains ids of users.',
  })
  @ApiOkResponse({ type: CustodiansResponse })
  replaceOfDataset(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: SetCustodians,
  ): Promise<CustodiansResponse> {
    return this.service.replace(caller, 'datasets', id, body);
  }

  @Put('contracts/:id/custodians')
  @ApiOperation({
    operationId: 'replaceContractCustodians',
    summary: 'Replace the custodians of a contract',
    description: 'The list contains ids of users.',
  })
  @ApiOkResponse({ type: CustodiansResponse })
  replaceOfContract(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: SetCustodians,
  ): Promise<CustodiansResponse> {
    return this.service.replace(caller, 'contracts', id, body);
  }
}
