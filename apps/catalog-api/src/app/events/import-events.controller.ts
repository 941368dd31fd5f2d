import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { ImportEvent } from './import-event.dto.js';
import { ImportEventsService, importReporters } from './import-events.service.js';

/** The reports of the provisioner. */
@Controller('api/import-events')
@CallableBy(...importReporters)
@ApiTags('event-subscriptions')
export class ImportEventsController {
  constructor(private readonly service: ImportEventsService) {}

  @Post()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'reportImportEvent',
    summary: 'Report the end of an import or a verification; a repeated report has no effect',
    description: 'For the provisioner. Receivers that are subscribed to the type get the event.',
  })
  add(@Caller() caller: Principal, @Body() event: ImportEvent): Promise<void> {
    return this.service.add(caller, event);
  }
}
