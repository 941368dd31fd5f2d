import { foldedId } from './identifier.js';

/** Between the spellings of one id; no name of a folder holds it. */
const separator = '/';

/** Changes that are kept beside all the others before they are joined with them. */
const maxRecent = 1_000;

type Spellings = ReadonlyMap<string, string>;

/** Ids by what they are where case is not distinguished: tells at once whether one of them is another's twin. */
export class FoldedIds {
  /**
   * @param all the spellings by folded id
   * @param recent what is there now in place of that; empty where nothing is
   */
  private constructor(
    private readonly all: Spellings,
    private readonly recent: Spellings = new Map(),
  ) {}

  static of(ids: Iterable<string>): FoldedIds {
    const all = new Map<string, string>();
    for (const id of ids) {
      const folded = foldedId(id);
      const others = all.get(folded);
      all.set(folded, others === undefined ? id : `${others}${separator}${id}`);
    }
    return new FoldedIds(all);
  }

  /** These ids without those that are gone and with those that came; one more costs no look at all the others. */
  changed(gone: Iterable<string>, come: Iterable<string>): FoldedIds {
    const recent = new Map(this.recent);
    const replace = (id: string, now: readonly string[]): void => {
      const spellings = (recent.get(foldedId(id)) ?? this.all.get(foldedId(id)) ?? '').split(separator);
      const others = spellings.filter((each) => each !== id && each !== '');
      recent.set(foldedId(id), [...others, ...now].join(separator));
    };
    for (const id of gone) replace(id, []);
    for (const id of come) replace(id, [id]);
    if (recent.size <= maxRecent) return new FoldedIds(this.all, recent);
    return new FoldedIds(new Map([...this.all, ...recent]));
  }

  /** One of the ids that differs from this by case only. */
  caseVariantOf(id: string): string | undefined {
    if (this.all.size + this.recent.size === 0) return undefined;
    const folded = foldedId(id);
    const spellings = this.recent.get(folded) ?? this.all.get(folded) ?? '';
    if (spellings === '' || spellings === id) return undefined;
    return spellings.split(separator).find((other) => other !== id);
  }
}
