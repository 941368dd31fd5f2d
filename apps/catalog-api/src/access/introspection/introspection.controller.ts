import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { IntrospectionResponse, Introspect } from './introspection.dto.js';
import { IntrospectionService, introspectors } from './introspection.service.js';

/** The introspection of session tokens and service keys, for other services. */
@Controller('api/introspection')
@CallableBy(...introspectors)
@ApiTags('introspection')
export class IntrospectionController {
  constructor(private readonly service: IntrospectionService) {}

  @Post()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'introspectToken',
    summary: 'Return the caller of a session token or a service key, if the token is accepted now',
    description:
      'The response contains no secret. A token that is not accepted is `{"active": false}`. If a service sends too many such tokens, the response is 429.',
  })
  @ApiOkResponse({ type: IntrospectionResponse })
  introspect(@Caller() caller: Principal, @Body() { token }: Introspect): Promise<IntrospectionResponse> {
    return this.service.introspect(caller, token);
  }
}
