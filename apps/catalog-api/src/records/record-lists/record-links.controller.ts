import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { listNames } from '../../publishing/documents/list-names.js';
import { RecordLinks } from './record-links.dto.js';
import { RecordLinksService } from './record-links.service.js';

/** The links between records. The console shows them on the page of each record. */
@Controller('api/admin/links')
@CallableBy('global', 'session')
@ApiTags('links')
export class RecordLinksController {
  constructor(private readonly service: RecordLinksService) {}

  @Get(':list/:id')
  @ApiOperation({
    operationId: 'getRecordLinks',
    summary: 'List the records that are linked with a record',
    description: 'Contains only records that the caller may read.',
  })
  @ApiParam({ name: 'list', enum: listNames })
  @ApiParam({ name: 'id', description: 'The `id_at_source` of the record.' })
  @ApiOkResponse({ type: RecordLinks })
  find(@Caller() caller: Principal, @Param('list') list: string, @Param('id') id: string): Promise<RecordLinks> {
    return this.service.find(caller, list, id);
  }
}
