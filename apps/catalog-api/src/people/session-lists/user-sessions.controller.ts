import { Controller, Delete, Get, Header, HttpCode, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import { ForAdministrators } from '../../platform/administration/administrator.js';
import { SessionList } from './session-list.dto.js';
import { SessionListsService } from './session-lists.service.js';

/** The sessions of any person, for administrators. */
@Controller('api/admin/users/:id/sessions')
@ForAdministrators()
@ApiTags('sessions')
export class UserSessionsController {
  constructor(private readonly service: SessionListsService) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'listUserSessions',
    summary: 'List the sessions of a user, newest first',
    description: 'The response contains addresses and browsers, and no token.',
  })
  @ApiOkResponse({ type: SessionList })
  list(@Caller() caller: Principal, @Param('id') id: string): Promise<SessionList> {
    return this.service.list(caller, id);
  }

  @Delete(':session')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'endUserSession',
    summary: 'End one session of a user',
    description: 'The person has to sign in again in that browser.',
  })
  end(@Caller() caller: Principal, @Param('id') id: string, @Param('session') session: string): Promise<void> {
    return this.service.endOf(caller, id, session);
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'endUserSessions',
    summary: 'End all sessions of a user; has no effect if there are none',
    description: 'Keys of the user stay valid.',
  })
  endAll(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.endAllOf(caller, id);
  }
}
