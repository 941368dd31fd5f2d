import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { readTerms } from './read-terms.js';
import type { TermCategory } from './term.entity.js';
import { TermsRepository, type TermChanges } from './terms.repository.js';

/** How a vocabulary is to be imported. */
export interface TermImportOptions {
  /** Who imports, as the audit trail names them. */
  readonly actor: string;
  /** Say what would change, and change nothing. */
  readonly dryRun: boolean;
  /** Terms that the text may hold; any number if undefined. */
  readonly maxTerms?: number;
}

/** What an import of a vocabulary did, or would do. */
export interface TermImportReport extends TermChanges {
  readonly dry_run: boolean;
  /** Terms in the file. */
  readonly terms: number;
}

/** Makes a vocabulary what a file says, by the command and over HTTP alike. */
@Injectable()
export class TermsImport {
  constructor(
    private readonly repository: TermsRepository,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * All or nothing; doing it twice changes nothing.
   *
   * @throws InvalidInputError naming every bad place of the file
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
