import { Injectable } from '@nestjs/common';
import { hasRole, type CallerRule, type Principal } from '@rdc/auth';
import { AccessDeniedError, NotJsonError, UnknownRecordError } from '@rdc/errors';
import { requireCaller } from '../../platform/administration/require-caller.js';
import { actorOf } from '../../publishing/audit/audit-trail.js';
import { DocumentsSettings } from '../../publishing/documents/documents.settings.js';
import { WriterRightsResolver } from '../../publishing/writing/writer-rights.js';
import { BulkImport } from './bulk-import.js';
import type { BulkResponse } from './bulk.dto.js';
import { inPieces, itemTexts } from './item-stream.js';
import { findKind } from './record-kinds.js';

/** The parameters of a request for a bulk import. */
export interface BulkRequest {
  readonly create_missing?: string | undefined;
  readonly dry_run?: string | undefined;
  /** The origin to which the request was sent. */
  readonly origin: string;
}

/** The callers that import records in bulk. */
export const importers = [
  'global',
  'session:admin',
  'session:data_steward',
  'session:legal',
  'scope:bulk',
] as const satisfies readonly CallerRule[];

/** Bulk import over HTTP. */
@Injectable()
export class BulkService {
  constructor(
    private readonly bulk: BulkImport,
    private readonly settings: DocumentsSettings,
    private readonly rights: WriterRightsResolver,
  ) {}

  /**
   * @throws UnknownRecordError if the resource is unknown
   * @throws AccessDeniedError if the caller may not import this resource
   * @throws InvalidItemsError if any item is invalid
   */
  async run(
    caller: Principal,
    resource: string,
    body: Buffer,
    { create_missing, dry_run, origin }: BulkRequest,
  ): Promise<BulkResponse> {
    requireCaller(caller, importers);
    const kind = findKind(resource);
    if (!kind) throw new UnknownRecordError('resource', resource);
    if (caller.kind === 'session' && resource !== 'contracts' && !hasRole(caller, 'admin', 'data_steward')) {
      throw new AccessDeniedError(
        'Importing this resource requires the role admin or data_steward: the role legal may import contracts only.',
      );
    }
    if (body.length === 0) throw new NotJsonError('A request body is required.');
    const report = await this.bulk.run(kind, itemTexts(inPieces(body)), {
      actor: actorOf(caller),
      rights: this.rights.resolve(caller, kind.list),
      dryRun: dry_run === 'true',
      createMissing: create_missing === 'true',
      ownSource: this.settings.SERVER_URL ?? origin,
    });
    return { status: 'Success', ...report };
  }
}
