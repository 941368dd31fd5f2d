import { Injectable } from '@nestjs/common';
import { isIdentifier, type Subject } from './identifier.js';
import { SourceSystem, type ListedSubmission, type SourcePlace } from './source-system.js';

/** What is in the source by name, and who holds which id. */
export interface SourceListing {
  readonly submissions: readonly ListedSubmission[];
  /** Every dataset as often as it stands in the source, sorted by submission and id. */
  readonly datasets: readonly SourcePlace[];
  /** Ids that more than one submission holds. */
  readonly duplicates: ReadonlySet<string>;
}

/** Finds submissions and datasets in the source by name. */
@Injectable()
export class SourceIndex {
  constructor(private readonly source: SourceSystem) {}

  /** The source by name, as it is now. */
  async list(): Promise<SourceListing> {
    const submissions = await this.source.list();
    const datasets = submissions.flatMap(({ reference, datasets: ids }) =>
      ids.map((id): SourcePlace => ({ kind: 'dataset', submission: reference, id })),
    );
    const seen = new Set<string>();
    const duplicates = new Set<string>();
    for (const { id } of datasets) (seen.has(id) ? duplicates : seen).add(id);
    return { submissions, datasets, duplicates };
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
}
