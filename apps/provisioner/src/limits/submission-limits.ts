import { Injectable } from '@nestjs/common';
import { isLimitedToSubmissions, type Principal } from '@rdc/auth';
import { AccessDeniedError, UnknownRecordError } from '@rdc/errors';
import { hash } from 'node:crypto';
import type { Listing } from '../http/list.answer.js';
import { isIdentifier, type SubjectKind } from '../model/identifier.js';
import { SourceIndex } from '../source/source-index.js';
import { Storage } from '../model/storage.js';
import { WithdrawalLog } from '../model/withdrawal-log.js';

/** The id and the subject of an import. */
export interface ImportSubject {
  readonly id: string;
  /** `submission`, or a kind of import with a dataset as its subject, or `plan`. */
  readonly kind: string;
  /** The kind of the subject of a plan. */
  readonly plans?: SubjectKind;
  readonly subject: string;
}

/**
 * Enforces the limits of service keys to submissions. For a limited key, other submissions, their datasets and their
 * imports do not exist. Other callers have no limits.
 */
@Injectable()
export class SubmissionLimits {
  constructor(
    private readonly index: SourceIndex,
    private readonly storage: Storage,
    private readonly withdrawals: WithdrawalLog,
  ) {}

  /** Refuses limited keys for an operation on all submissions. @throws AccessDeniedError if the caller is limited */
  requireUnlimited(caller: Principal): void {
    if (!isLimitedToSubmissions(caller)) return;
    throw new AccessDeniedError(
      `The service key "${caller.name}" is limited to some submissions, and this operation affects all. Use a key without limits.`,
    );
  }

  /** Checks access to a submission. @throws UnknownRecordError if the caller is limited to other submissions */
  requireSubmission(caller: Principal, reference: string): void {
    if (!extendsTo(caller, reference)) throw new UnknownRecordError('submission', reference);
  }

  /**
   * Checks access to a dataset.
   *
   * @param noun the noun for the dataset in the error message
   * @throws UnknownRecordError if the caller is limited, and another submission contains or contained the dataset
   */
  async requireDataset(caller: Principal, id: string, noun = 'dataset'): Promise<void> {
    if (!(await this.seesDataset(caller, id))) throw new UnknownRecordError(noun, id);
  }

  /** Checks access to an import. @throws UnknownRecordError if the caller has no access to its subject */
  async requireImport(caller: Principal, subject: ImportSubject): Promise<void> {
    if (!(await this.seesImport(caller, subject))) throw new UnknownRecordError('import', subject.id);
  }

  /** Whether a caller has access to an import. */
  async seesImport(caller: Principal, { kind, plans, subject }: Omit<ImportSubject, 'id'>): Promise<boolean> {
    return (plans ?? kind) === 'submission' ? extendsTo(caller, subject) : this.seesDataset(caller, subject);
  }

  /** Returns the part of a list to which the caller has access. The version depends only on that part. */
  narrow<S, T>(caller: Principal, listing: Listing<S, T>, submissionOf: (subject: S) => string): Listing<S, T> {
    if (!isLimitedToSubmissions(caller)) return listing;
    const visible = listing.select().filter((subject) => extendsTo(caller, submissionOf(subject)));
    const version = hash('sha256', JSON.stringify(visible.map(listing.toItem)), 'base64url');
    return { ...listing, version, select: () => visible };
  }

  /** Whether a caller has access to a dataset. A dataset of several submissions requires access to all of them. */
  private async seesDataset(caller: Principal, id: string): Promise<boolean> {
    if (!isLimitedToSubmissions(caller)) return true;
    const commit = isIdentifier(id) ? await this.storage.findCommit({ kind: 'dataset', id }) : null;
    const places = await this.index.findNamed({ kind: 'dataset', id });
    const holders = [...(commit ? [commit.source.submission] : []), ...places.map(({ submission }) => submission)];
    const all = holders.length > 0 ? holders : await this.formerHolders(id);
    return all.length > 0 && all.every((reference) => extendsTo(caller, reference));
  }

  /** Returns the submissions from which a dataset was imported before its withdrawals. */
  private async formerHolders(id: string): Promise<readonly string[]> {
    const { bySubject } = await this.withdrawals.all();
    return [...bySubject.values()].filter(({ dataset }) => dataset === id).map(({ submission }) => submission);
  }
}

function extendsTo(caller: Principal, reference: string): boolean {
  return !isLimitedToSubmissions(caller) || caller.submissions.some((prefix) => reference.startsWith(prefix));
}
