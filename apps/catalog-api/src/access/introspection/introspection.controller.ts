import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { IntrospectionResponse, Introspect } from './introspection.dto.js';
import { IntrospectionService, introspectors } from './introspection.service.js';

/** The introspection of session tokens and service keys, for other services. */
@Controller('api/introspection')
@CallableBy(...introspectors)
export class IntrospectionController {
  constructor(private readonly service: IntrospectionService) {}

  @Post()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Return the caller of a session token or a service key, if the token is accepted now' })
  @ApiOkResponse({ type: IntrospectionResponse })
  introspect(@Caller() caller: Principal, @Body() { token }: Introspect): Promise<IntrospectionResponse> {
    return this.service.introspect(caller, token);
  }
}
