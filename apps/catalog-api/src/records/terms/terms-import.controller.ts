import { Body, Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { InvalidInputError, NotJsonError, UnknownRecordError } from '@rdc/errors';
import { actorOf } from '../../publishing/audit/audit-trail.js';
import { DryRunParameter } from '../../publishing/writing/dry-run.dto.js';
import { isTermCategory } from './term.entity.js';
import { TermsImport, type TermImportReport } from './terms-import.js';

/**
 * The maximum number of terms in one request. The limit protects the memory of the service; the command has no limit.
 */
const maxTerms = 200_000;

/** Imports vocabularies. */
@Controller('api/import/terms')
@CallableBy('global', 'session:admin', 'session:data_steward', 'scope:terms:write')
export class TermsImportController {
  constructor(private readonly terms: TermsImport) {}

  /**
   * Replaces a vocabulary by a file in TSV, OBO or OBO Graphs JSON. Terms that the file does not contain become
   * obsolete.
   */
  @Post(':category')
  @HttpCode(200)
  async run(
    @Caller() caller: Principal,
    @Param('category') category: string,
    @Query() { dry_run }: DryRunParameter,
    @Body() body: Buffer,
  ): Promise<TermImportReport & { status: 'Success' }> {
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
