import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse, ApiOperation, getSchemaPath, ApiTags } from '@nestjs/swagger';
import { CallableByAnyone } from '@rdc/auth';
import { ApiErrors } from '../../platform/properties/api-errors.decorator.js';
import { BodyLimit } from '@rdc/http';
import { AccessRequestResponse, PostedEntitlement } from './accessreq.dto.js';
import { AccessRequestGuard } from './accessreq.guard.js';
import { AccessRequestService } from './accessreq.service.js';

const entitlement = { $ref: getSchemaPath(PostedEntitlement) };

/** Maximum bytes of a post, about ten thousand entitlements. */
const maxPostBytes = 1024 * 1024;

/**
 * The webhook of the access-request system. The guard checks the address of the sender, not a key, before the body is
 * read.
 */
@Controller('api/accessreq')
@CallableByAnyone()
@UseGuards(AccessRequestGuard)
@ApiTags('access-requests')
export class AccessRequestController {
  constructor(private readonly service: AccessRequestService) {}

  @Post()
  @HttpCode(200)
  @BodyLimit(maxPostBytes)
  @ApiOperation({
    operationId: 'receiveEntitlements',
    summary: 'Accept one entitlement or an array of entitlements from the access-request system',
    description:
      'No key is required: the address of the sender must be in `ACCESSREQ_ALLOWED_IP_ADDRESSES`. Each entitlement has its own result. A repeated post changes nothing.',
  })
  @ApiExtraModels(PostedEntitlement)
  @ApiBody({ schema: { oneOf: [{ type: 'array', items: entitlement }, entitlement] } })
  @ApiOkResponse({ type: AccessRequestResponse })
  @ApiErrors(
    403,
    'The webhook is off, or the address of the sender is not in `ACCESSREQ_ALLOWED_IP_ADDRESSES`.',
    ...(['address.refused', 'accessreq.disabled'] as const),
  )
  @ApiErrors(
    400,
    'The body is not valid, or some entitlements name unknown datasets. `more.results` has the result of each entitlement.',
    'accessreq.unknown_resource',
  )
  @ApiErrors(
    503,
    'Some entitlements wait for their confirmation, or a dependency is unavailable. Post them again after `Retry-After`.',
    'accessreq.no_rights',
  )
  async receive(@Body() body: unknown): Promise<AccessRequestResponse> {
    return { status: 'Success', results: await this.service.receive(body) };
  }
}
