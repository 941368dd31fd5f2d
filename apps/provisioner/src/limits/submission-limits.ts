import { Injectable } from '@nestjs/common';
import { isLimitedToSubmissions, type Principal } from '@rdc/auth';
import { AccessDeniedError, UnknownRecordError } from '@rdc/errors';
import { hash } from 'node:crypto';
import type { Listing } from '../http/list.answer.js';
import { isIdentifier } from '../model/identifier.js';
import { SourceIndex } from '../source/source-index.js';
import { Storage } from '../model/storage.js';

/** An import by its subject. */
export interface ImportSubject {
  readonly id: string;
  /** `submission`, or a kind of import that is about a dataset. */
  readonly kind: string;
  readonly subject: string;
}

/**
 * Keeps a service key within the submissions that it is limited to: every other submission, its datasets and their
 * imports answer as if they did not exist. Every other caller is free.
 */
@Injectable()
export class SubmissionLimits {
  constructor(
    private readonly index: SourceIndex,
    private readonly storage: Storage,
  ) {}

  /** Refuses a limited key where an answer, or an act, is about everything. @throws AccessDeniedError */
  requireUnlimited(caller: Principal): void {
    if (!isLimitedToSubmissions(caller)) return;
    throw new AccessDeniedError(`The service key "${caller.name}" is limited to some submissions; this is about all.`);
  }

  /** @throws UnknownRecordError if the caller is limited to other submissions */
  requireSubmission(caller: Principal, reference: string): void {
    if (!extendsTo(caller, reference)) throw new UnknownRecordError('submission', reference);
  }

  /**
   * @param word what a dataset is called where none is found
   * @throws UnknownRecordError if the caller is limited to submissions, and another one holds or held the dataset
   */
  async requireDataset(caller: Principal, id: string, word = 'dataset'): Promise<void> {
    if (!(await this.seesDataset(caller, id))) throw new UnknownRecordError(word, id);
  }

  /** @throws UnknownRecordError likewise */
  async requireImport(caller: Principal, about: ImportSubject): Promise<void> {
    if (!(await this.seesImport(caller, about))) throw new UnknownRecordError('import', about.id);
  }

  /** Whether a caller may know of an import. */
  async seesImport(caller: Principal, { kind, subject }: Omit<ImportSubject, 'id'>): Promise<boolean> {
    return kind === 'submission' ? extendsTo(caller, subject) : this.seesDataset(caller, subject);
  }

  /** Returns the part of a list that a caller may know of. Its version depends on that part alone. */
  narrow<S, T>(caller: Principal, listing: Listing<S, T>, submissionOf: (subject: S) => string): Listing<S, T> {
    if (!isLimitedToSubmissions(caller)) return listing;
    const seen = listing.select().filter((subject) => extendsTo(caller, submissionOf(subject)));
    const version = hash('sha256', JSON.stringify(seen.map(listing.toItem)), 'base64url');
    return { ...listing, version, select: () => seen };
  }

  /** A dataset of several submissions is known to callers alone that may know of all of them. */
  private async seesDataset(caller: Principal, id: string): Promise<boolean> {
    if (!isLimitedToSubmissions(caller)) return true;
    const commit = isIdentifier(id) ? await this.storage.findCommit({ kind: 'dataset', id }) : null;
    const places = await this.index.findNamed({ kind: 'dataset', id });
    const holders = [...(commit ? [commit.source.submission] : []), ...places.map(({ submission }) => submission)];
    return holders.length > 0 && holders.every((reference) => extendsTo(caller, reference));
  }
}

function extendsTo(caller: Principal, reference: string): boolean {
  return !isLimitedToSubmissions(caller) || caller.submissions.some((prefix) => reference.startsWith(prefix));
}
