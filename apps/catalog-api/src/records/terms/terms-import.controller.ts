import { Body, Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { InvalidInputError, NotJsonError, UnknownRecordError } from '@rdc/errors';
import { actorOf } from '../../publishing/audit/audit-trail.js';
import { DryRunParameter } from '../../publishing/writing/dry-run.dto.js';
import { isTermCategory } from './term.entity.js';
import { TermImportResponse } from './terms-import.dto.js';
import { TermsImport } from './terms-import.js';

/**
 * The maximum number of terms in one request. The limit protects the memory of the service; the command has no limit.
 */
const maxTerms = 200_000;

/** Imports vocabularies. */
@Controller('api/import/terms')
@CallableBy('global', 'session:admin', 'session:data_steward', 'scope:terms:write')
@ApiTags('terms')
export class TermsImportController {
  constructor(private readonly terms: TermsImport) {}

  @Post(':category')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'importTerms',
    summary: 'Replace a vocabulary by a file in TSV, OBO or OBO Graphs JSON',
    description: 'Terms that the file does not contain become obsolete.',
  })
  @ApiConsumes('text/plain')
  @ApiBody({ schema: { type: 'string', example: 'id\tlabel\tsynonyms\nHP:0001250\tSeizure\tFit|Epileptic seizure\n' } })
  @ApiOkResponse({ type: TermImportResponse })
  async run(
    @Caller() caller: Principal,
    @Param('category') category: string,
    @Query() { dry_run }: DryRunParameter,
    @Body() body: Buffer,
  ): Promise<TermImportResponse> {
    if (!isTermCategory(category)) throw new UnknownRecordError('term category', category);
    const options = { actor: actorOf(caller), dryRun: dry_run === 'true', maxTerms };
    return { status: 'Success', ...(await this.terms.run(category, textOf(body), options)) };
  }
}

function textOf(body: Buffer): string {
  if (body.length === 0) throw new NotJsonError('A request body is required: a file of terms.');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new InvalidInputError([{ field: '', problem: 'The file must be text in UTF-8' }]);
  }
}
