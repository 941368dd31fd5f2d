import type { CommitHead } from '../model/commit.js';
import type { SourceListing } from '../source/source-index.js';
import { HeldIndex } from './held-places.js';

type Heads = ReadonlyMap<string, CommitHead>;

/** Returns heads of commits by id, each with its submission. */
function heads(submissions: Readonly<Record<string, string>>): Heads {
  return new Map(Object.entries(submissions).map(([id, submission]) => [id, { id, submission } as CommitHead]));
}

function listing(submissions: Readonly<Record<string, readonly string[]>>): SourceListing {
  const listed = Object.entries(submissions).map(([reference, datasets]) => ({ reference, datasets }));
  const datasets = listed.flatMap(({ reference, datasets: ids }) =>
    ids.map((id) => ({ kind: 'dataset' as const, submission: reference, id })),
  );
  return { submissions: listed, datasets, duplicates: { dataset: new Set(), submission: new Set() }, version: '' };
}

describe(HeldIndex.name, () => {
  const source = listing({ 'SUB-1': ['DS-1', 'DS-3'], 'SUB-3': ['DS-9'] });
  const datasets = heads({ 'DS-1': 'SUB-1', 'DS-2': 'SUB-1', 'DS-4': 'SUB-2', 'DS-0': 'SUB-4' });
  const submissions = heads({ 'SUB-1': 'SUB-1', 'SUB-2': 'SUB-2' });

  it('should sort the datasets of both systems by submission and id, and state which system contains each', () => {
    const held = new HeldIndex().of({ listing: source, datasets, submissions });
    expect(held.datasets.map((place) => [place.submission, place.id, held.holderOf(place)])).toEqual([
      ['SUB-1', 'DS-1', 'both'],
      ['SUB-1', 'DS-2', 'storage'],
      ['SUB-1', 'DS-3', 'source'],
      ['SUB-2', 'DS-4', 'storage'],
      ['SUB-3', 'DS-9', 'source'],
      ['SUB-4', 'DS-0', 'storage'],
    ]);
  });

  it('should list a removed submission with its imported datasets if its collection is imported', () => {
    const held = new HeldIndex().of({ listing: source, datasets, submissions });
    expect(held.submissions).toEqual([
      { reference: 'SUB-1', datasets: ['DS-1', 'DS-2', 'DS-3'] },
      { reference: 'SUB-2', datasets: ['DS-4'] },
      { reference: 'SUB-3', datasets: ['DS-9'] },
    ]);
    expect(held.holderOf({ kind: 'submission', submission: 'SUB-2', id: 'SUB-2' })).toBe('storage');
  });

  it('should return the same lists until the source or the storage changes', () => {
    const index = new HeldIndex();
    const held = index.of({ listing: source, datasets, submissions });
    expect(index.of({ listing: source, datasets, submissions })).toBe(held);
    const later = index.of({ listing: source, datasets: heads({ 'DS-0': 'SUB-4', 'DS-5': 'SUB-2' }), submissions });
    expect(later.datasets.map(({ id }) => id)).toEqual(['DS-1', 'DS-3', 'DS-5', 'DS-9', 'DS-0']);
    const returned = listing({ 'SUB-2': ['DS-5'] });
    const last = index.of({ listing: returned, datasets: heads({ 'DS-5': 'SUB-2' }), submissions });
    expect(last.datasets.map((place) => [place.id, last.holderOf(place)])).toEqual([['DS-5', 'both']]);
  });

  it('should keep the sorted lists and update the holder when a dataset of the source is imported', () => {
    const index = new HeldIndex();
    const held = index.of({ listing: source, datasets, submissions });
    const place = { kind: 'dataset', submission: 'SUB-1', id: 'DS-3' } as const;
    expect(held.holderOf(place)).toBe('source');
    const later = index.of({
      listing: source,
      datasets: new Map([...datasets, ...heads({ 'DS-3': 'SUB-1' })]),
      submissions,
    });
    expect(later.datasets).toBe(held.datasets);
    expect(later.submissions).toBe(held.submissions);
    expect(later.holderOf(place)).toBe('both');
  });
});
