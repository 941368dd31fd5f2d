import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { readTerms } from './read-terms.js';
import type { TermCategory } from './term.entity.js';
import type { TermImportReport } from './terms-import.dto.js';
import { TermsRepository } from './terms.repository.js';

/** Options of the import of a vocabulary. */
export interface TermImportOptions {
  /** The name of the importer in the audit trail. */
  readonly actor: string;
  /** Whether to report the changes without making them. */
  readonly dryRun: boolean;
  /** The maximum number of terms in the text; no limit if undefined. */
  readonly maxTerms?: number;
}

/** Replaces a vocabulary by the terms of a file, for the command and for HTTP. */
@Injectable()
export class TermsImport {
  constructor(
    private readonly repository: TermsRepository,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Imports the terms of a text, all or none. A second import of the same text changes nothing.
   *
   * @throws InvalidInputError if the text is invalid, with all problems
   */
  async run(category: TermCategory, text: string, options: TermImportOptions): Promise<TermImportReport> {
    const { actor, dryRun, maxTerms } = options;
    const entries = await readTerms(text, maxTerms);
    const changes = dryRun
      ? await this.repository.rehearse(category, entries)
      : await this.repository.replace(category, entries, (manager, after) =>
          this.audit.record(manager, { actor, action: 'import', resource: 'terms', recordId: category, after }),
        );
    return { dry_run: dryRun, terms: entries.length, ...changes };
  }
}
