import { foldedId } from './identifier.js';

/** Ids by their folded form, for finding ids that differ by case only. */
export class FoldedIds {
  private constructor(private readonly byFolded: ReadonlyMap<string, readonly string[]>) {}

  static of(ids: Iterable<string>): FoldedIds {
    return new FoldedIds(new Map()).changed([], ids);
  }

  /** Returns the ids without the removed ids and with the added ids. */
  changed(removed: Iterable<string>, added: Iterable<string>): FoldedIds {
    const byFolded = new Map(this.byFolded);
    const othersOf = (id: string): string[] => (byFolded.get(foldedId(id)) ?? []).filter((other) => other !== id);
    for (const id of removed) {
      const others = othersOf(id);
      if (others.length > 0) byFolded.set(foldedId(id), others);
      else byFolded.delete(foldedId(id));
    }
    for (const id of added) byFolded.set(foldedId(id), [...othersOf(id), id]);
    return new FoldedIds(byFolded);
  }

  /** Returns an id that differs from the given id by case only, if there is one. */
  caseVariantOf(id: string): string | undefined {
    return this.byFolded.get(foldedId(id))?.find((other) => other !== id);
  }
}
