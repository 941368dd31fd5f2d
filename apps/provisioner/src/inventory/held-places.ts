import type { CommitHead } from '../model/commit.js';
import type { ListedSubmission, SourcePlace } from '../model/source-system.js';
import type { SourceListing } from '../source/source-index.js';

export const holders = ['source', 'storage', 'both'] as const;

/** The systems that contain a dataset or a submission. The storage contains it if it is imported. */
export type HeldIn = (typeof holders)[number];

type Heads = ReadonlyMap<string, CommitHead>;

/** The datasets and submissions that the source or the storage contains. */
export interface HeldPlaces {
  /**
   * The submissions, sorted by reference. The datasets of each are those of the source, and those imported from the
   * submission. A submission that only the storage contains is listed if its collection is imported.
   */
  readonly submissions: readonly ListedSubmission[];
  /** Every dataset, sorted by submission and id. */
  readonly datasets: readonly SourcePlace[];
  /** Returns which of the systems contain a place. @returns null if none does */
  readonly holderOf: (place: SourcePlace) => HeldIn | null;
}

/** The inputs of the lists. Each is the same object as long as its content is the same. */
interface Inputs {
  readonly listing: SourceListing;
  readonly datasets: Heads;
  readonly submissions: Heads;
}

/** The names in a listing of the source, for lookups. */
interface ListedNames {
  readonly listing: SourceListing;
  readonly datasets: ReadonlySet<string>;
  readonly submissions: ReadonlySet<string>;
}

/**
 * Joins the listing of the source with the heads of the commits. While neither changes, the result is the same object. An
 * import of a dataset that the source lists keeps the sorted lists. Any other change takes one pass over both and sorts
 * only the added datasets.
 */
export class HeldIndex {
  private inputs: Inputs | null = null;
  private held: HeldPlaces = { submissions: [], datasets: [], holderOf: () => null };
  /** The datasets that only the storage contains, sorted. */
  private storedOnly: readonly SourcePlace[] = [];
  /** The submissions of these datasets, by dataset id. */
  private storedIn: ReadonlyMap<string, string> = new Map();
  private names: ListedNames | null = null;

  /** Returns the lists for the present content of both systems. */
  of(inputs: Inputs): HeldPlaces {
    const { inputs: last } = this;
    const { listing, datasets, submissions } = inputs;
    const isSameSource = last?.listing === listing;
    const isSameStorage = last?.datasets === datasets && last.submissions === submissions;
    if (isSameSource && isSameStorage) return this.held;
    const names = this.namesIn(listing);
    const isJoined = !this.updateStoredOnly(datasets, names) && isSameSource;
    this.held = {
      datasets: isJoined ? this.held.datasets : merged(listing.datasets, this.storedOnly, comparePlaces),
      submissions:
        isJoined && last.submissions === submissions
          ? this.held.submissions
          : joinSubmissions(submissions, names, this.storedOnly),
      holderOf: holderIn(inputs, names),
    };
    this.inputs = inputs;
    return this.held;
  }

  /** Finds the imported datasets that the source does not list. @returns whether they have changed */
  private updateStoredOnly(datasets: Heads, listed: ListedNames): boolean {
    const added: SourcePlace[] = [];
    let keptCount = 0;
    for (const [id, { submission }] of datasets) {
      if (listed.datasets.has(id)) continue;
      if (this.storedIn.get(id) === submission) keptCount += 1;
      else added.push({ kind: 'dataset', submission, id });
    }
    if (added.length === 0 && keptCount === this.storedIn.size) return false;
    const isKept = ({ id, submission }: SourcePlace): boolean =>
      datasets.get(id)?.submission === submission && !listed.datasets.has(id);
    this.storedOnly = merged(this.storedOnly.filter(isKept), added.sort(comparePlaces), comparePlaces);
    this.storedIn = new Map(this.storedOnly.map(({ id, submission }) => [id, submission]));
    return true;
  }

  private namesIn(listing: SourceListing): ListedNames {
    if (this.names?.listing !== listing) {
      const datasets = new Set(listing.datasets.map(({ id }) => id));
      const submissions = new Set(listing.submissions.map(({ reference }) => reference));
      this.names = { listing, datasets, submissions };
    }
    return this.names;
  }
}

function holderIn({ datasets, submissions }: Inputs, listed: ListedNames): HeldPlaces['holderOf'] {
  return ({ kind, id }) => {
    const isImported = (kind === 'dataset' ? datasets : submissions).has(id);
    if (!(kind === 'dataset' ? listed.datasets : listed.submissions).has(id)) return isImported ? 'storage' : null;
    return isImported ? 'both' : 'source';
  };
}

function joinSubmissions(
  submissions: Heads,
  { listing, submissions: references }: ListedNames,
  storedOnly: readonly SourcePlace[],
): readonly ListedSubmission[] {
  const stored = new Map<string, string[]>();
  for (const { submission, id } of storedOnly) {
    const ids = stored.get(submission);
    if (ids) ids.push(id);
    else stored.set(submission, [id]);
  }
  const idsIn = (reference: string): readonly string[] => stored.get(reference) ?? [];
  const listed = listing.submissions.map((each) => {
    if (!stored.has(each.reference)) return each;
    return { ...each, datasets: merged(each.datasets, idsIn(each.reference), compareTexts) };
  });
  const added = [...submissions.keys()].filter((reference) => !references.has(reference)).sort(compareTexts);
  const imported = added.map((reference): ListedSubmission => ({ reference, datasets: idsIn(reference) }));
  return merged(listed, imported, (one, other) => compareTexts(one.reference, other.reference));
}

function comparePlaces(one: SourcePlace, other: SourcePlace): number {
  return compareTexts(one.submission, other.submission) || compareTexts(one.id, other.id);
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Merges two sorted lists. Returns the first list itself if there is nothing to add. */
function merged<T>(first: readonly T[], second: readonly T[], compare: (one: T, other: T) => number): readonly T[] {
  if (second.length === 0) return first;
  const result: T[] = [];
  let at = 0;
  for (const each of first) {
    for (let next = second[at]; next !== undefined && compare(next, each) < 0; next = second[++at]) result.push(next);
    result.push(each);
  }
  return result.concat(second.slice(at));
}
