import { Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import { isIdentifier, type Subject } from './identifier.js';
import { SourceSystem, type ListedSubmission, type SourcePlace } from './source-system.js';

/** What is in the source by name, and who holds which id. */
export interface SourceListing {
  readonly submissions: readonly ListedSubmission[];
  /** Every dataset as often as it stands in the source, sorted by submission and id. */
  readonly datasets: readonly SourcePlace[];
  /** Ids that more than one submission holds. */
  readonly duplicates: ReadonlySet<string>;
  /** Another text as soon as a name is another; equal in every process that sees the same. */
  readonly version: string;
}

/** Finds submissions and datasets in the source by name. */
@Injectable()
export class SourceIndex {
  private submissions: readonly ListedSubmission[] | null = null;
  private listing: SourceListing | null = null;

  constructor(private readonly source: SourceSystem) {}

  /** The source by name, as it is now; the very same object as long as it is the same. */
  async list(): Promise<SourceListing> {
    const submissions = await this.source.list();
    if (this.listing && submissions === this.submissions) return this.listing;
    const version = versionOf(submissions);
    if (this.listing?.version !== version) this.listing = this.join(submissions, version);
    this.submissions = submissions;
    return this.listing;
  }

  /** Where a subject is: nowhere, in one place, or (a dataset only) in several submissions. */
  async find({ kind, id }: Subject): Promise<readonly SourcePlace[]> {
    if (!isIdentifier(id)) return [];
    const { submissions, datasets } = await this.list();
    if (kind === 'dataset') return datasets.filter((place) => place.id === id && isIdentifier(place.submission));
    return submissions
      .filter(({ reference }) => reference === id)
      .map(({ reference }) => ({ kind: 'submission', submission: reference, id: reference }));
  }

  /** The ids of a submission's datasets that can be imported, sorted. */
  async datasetsOf(reference: string): Promise<readonly string[]> {
    const { submissions } = await this.list();
    return (submissions.find((each) => each.reference === reference)?.datasets ?? []).filter(isIdentifier);
  }

  private join(submissions: readonly ListedSubmission[], version: string): SourceListing {
    const datasets = submissions.flatMap(({ reference, datasets: ids }) =>
      ids.map((id): SourcePlace => ({ kind: 'dataset', submission: reference, id })),
    );
    const seen = new Set<string>();
    const duplicates = new Set<string>();
    for (const { id } of datasets) (seen.has(id) ? duplicates : seen).add(id);
    return { submissions, datasets, duplicates, version };
  }
}

function versionOf(submissions: readonly ListedSubmission[]): string {
  const lines = submissions.map(({ reference, datasets }) => `${reference}\0${datasets.join('\0')}`);
  return hash('sha256', lines.join('\n\0'), 'base64url');
}
