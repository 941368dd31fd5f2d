import { Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import { differByCaseOnly, foldedId, isIdentifier, type Subject, type SubjectKind } from '../model/identifier.js';
import type { SourceSight } from '../model/source-sight.js';
import { SourceSystem, type ListedSubmission, type SourcePlace } from '../model/source-system.js';
import { SourceGate } from './source-gate.js';

/** The names in the source. */
export interface SourceListing {
  readonly submissions: readonly ListedSubmission[];
  /** Every occurrence of a dataset, sorted by submission and id. */
  readonly datasets: readonly SourcePlace[];
  /** Ids that occur more than once, or that differ from another id by case only. */
  readonly duplicates: Readonly<Record<SubjectKind, ReadonlySet<string>>>;
  /** A digest of all names, equal in every process that lists the same names. */
  readonly version: string;
}

/** The places of a subject in the source. */
export interface SubjectPlaces {
  /**
   * The places with this id. A dataset may be in several submissions, some of which may have invalid references. Empty if
   * the subject can be imported from none of them.
   */
  readonly places: readonly SourcePlace[];
  /** The places whose ids differ from this id by case only. */
  readonly caseVariants: readonly SourcePlace[];
}

/** Finds submissions and datasets in the source by name. */
@Injectable()
export class SourceIndex {
  /** The check that this process sees the source. */
  readonly gate: SourceGate;
  private submissions: readonly ListedSubmission[] | null = null;
  private listing: SourceListing | null = null;

  constructor(private readonly source: SourceSystem) {
    this.gate = new SourceGate(source);
  }

  /** Lists the source. @returns the same object as the call before if no name changed */
  async list(): Promise<SourceListing> {
    const submissions = await this.source.list();
    if (this.listing && submissions === this.submissions) return this.listing;
    const version = versionOf(submissions);
    if (this.listing?.version !== version) this.listing = this.join(submissions, version);
    this.submissions = submissions;
    return this.listing;
  }

  /** Returns a place as this process sees it, for the worker that will import it. */
  async sightOf(place: SourcePlace): Promise<SourceSight> {
    return { submission: place.submission, folders: await this.source.foldersTo(place) };
  }

  /** Finds the places of a subject. */
  async find({ kind, id }: Subject): Promise<SubjectPlaces> {
    if (!isIdentifier(id)) return { places: [], caseVariants: [] };
    const { submissions, datasets, duplicates } = await this.list();
    const all = kind === 'dataset' ? datasets : submissions.map(collectionOf);
    const named = all.filter((place) => place.id === id);
    return {
      places: named.some(hasIdentifiers) ? named : [],
      caseVariants: duplicates[kind].has(id) ? all.filter((place) => differByCaseOnly(place.id, id)) : [],
    };
  }

  /** Returns the valid ids of a submission's datasets, sorted. */
  async datasetsOf(reference: string): Promise<readonly string[]> {
    const { submissions } = await this.list();
    return (submissions.find((each) => each.reference === reference)?.datasets ?? []).filter(isIdentifier);
  }

  /** Returns the places with a name, which may be an invalid id. Places with valid names come first. */
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

/** Whether the names of a place are valid identifiers. If not, the place has the problem `id.invalid`. */
export function hasIdentifiers({ submission, id }: SourcePlace): boolean {
  return isIdentifier(id) && isIdentifier(submission);
}

/** Returns the place of a submission's documents. */
export function collectionOf({ reference }: ListedSubmission): SourcePlace {
  return { kind: 'submission', submission: reference, id: reference };
}

/** Returns the ids that occur more than once, in any case. */
function duplicatesOf(ids: readonly string[]): ReadonlySet<string> {
  const once = new Set<string>();
  const twice = new Set<string>();
  for (const id of ids) {
    const folded = foldedId(id);
    (once.has(folded) ? twice : once).add(folded);
  }
  return new Set(twice.size === 0 ? [] : ids.filter((id) => twice.has(foldedId(id))));
}

function versionOf(submissions: readonly ListedSubmission[]): string {
  const lines = submissions.map(({ reference, datasets }) => `${reference}\0${datasets.join('\0')}`);
  return hash('sha256', lines.join('\n\0'), 'base64url');
}
