import { Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import { areTwins, foldedId, isIdentifier, type Subject, type SubjectKind } from '../model/identifier.js';
import { SourceSystem, type ListedSubmission, type SourcePlace } from '../model/source-system.js';

/** What is in the source by name, and who holds which id. */
export interface SourceListing {
  readonly submissions: readonly ListedSubmission[];
  /** Every dataset as often as it stands in the source, sorted by submission and id. */
  readonly datasets: readonly SourcePlace[];
  /** Ids that more than one submission holds, and references: those as well that differ from another by case only. */
  readonly duplicates: Readonly<Record<SubjectKind, ReadonlySet<string>>>;
  /** Another text as soon as a name is another; equal in every process that sees the same. */
  readonly version: string;
}

/** Who holds an id in the source. */
export interface SubjectPlaces {
  /**
   * Where it is: nowhere, in one place, or (a dataset only) in several submissions, of which some may have names that
   * cannot be references. Nowhere, where it can be imported from none of them.
   */
  readonly places: readonly SourcePlace[];
  /** The places whose ids differ from it by case only. */
  readonly caseVariants: readonly SourcePlace[];
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

  /** Where a subject is. */
  async find({ kind, id }: Subject): Promise<SubjectPlaces> {
    if (!isIdentifier(id)) return { places: [], caseVariants: [] };
    const { submissions, datasets, duplicates } = await this.list();
    const all = kind === 'dataset' ? datasets : submissions.map(collectionOf);
    const named = all.filter((place) => place.id === id);
    return {
      places: named.some(hasIdentifiers) ? named : [],
      caseVariants: duplicates[kind].has(id) ? all.filter((place) => areTwins(place.id, id)) : [],
    };
  }

  /** The ids of a submission's datasets that can be imported, sorted. */
  async datasetsOf(reference: string): Promise<readonly string[]> {
    const { submissions } = await this.list();
    return (submissions.find((each) => each.reference === reference)?.datasets ?? []).filter(isIdentifier);
  }

  /** Where a name stands in the source, whether it can be an id or not; those that can be imported come first. */
  async findNamed({ kind, id }: Subject): Promise<readonly SourcePlace[]> {
    const { submissions, datasets } = await this.list();
    const all = kind === 'dataset' ? datasets : submissions.map(collectionOf);
    const named = all.filter((place) => place.id === id);
    return [...named.filter(hasIdentifiers), ...named.filter((place) => !hasIdentifiers(place))];
  }

  private join(submissions: readonly ListedSubmission[], version: string): SourceListing {
    const datasets = submissions.flatMap(({ reference, datasets: ids }) =>
      ids.map((id): SourcePlace => ({ kind: 'dataset', submission: reference, id })),
    );
    const duplicates = {
      dataset: duplicatesOf(datasets.map(({ id }) => id)),
      submission: duplicatesOf(submissions.map(({ reference }) => reference)),
    };
    return { submissions, datasets, duplicates, version };
  }
}

/** Whether a place can be imported by its names: the problem `id.invalid` is that it cannot. */
export function hasIdentifiers({ submission, id }: SourcePlace): boolean {
  return isIdentifier(id) && isIdentifier(submission);
}

/** A submission as the place of its documents. */
export function collectionOf({ reference }: ListedSubmission): SourcePlace {
  return { kind: 'submission', submission: reference, id: reference };
}

/** The ids that are there twice, whether spelled the same or with other case. */
function duplicatesOf(ids: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const id of ids) {
    const folded = foldedId(id);
    (seen.has(folded) ? twice : seen).add(folded);
  }
  return new Set(twice.size === 0 ? [] : ids.filter((id) => twice.has(foldedId(id))));
}

function versionOf(submissions: readonly ListedSubmission[]): string {
  const lines = submissions.map(({ reference, datasets }) => `${reference}\0${datasets.join('\0')}`);
  return hash('sha256', lines.join('\n\0'), 'base64url');
}
