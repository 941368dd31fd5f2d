import { differByCaseOnly, foldedId, type Subject, type SubjectKind } from '../model/identifier.js';
import type { Commit, CommitHeads } from '../model/commit.js';
import type { Records } from '../model/records.js';
import type { ImportedCaseVariant } from '../model/storage.js';
import { CaseVariantImportedError } from '../model/storage-failure.js';

/** The folder of the records of all spellings whose import was ever started: one spelling in each immutable record. */
const folder = '.requests/spelled';

/** The functions of a storage that the guard uses. */
interface GuardedStorage {
  /** Returns the commit record at a subject's path, which may belong to another spelling. */
  readonly commitAt: (subject: Subject) => Promise<Commit | null>;
  /** Returns the heads that were read last. */
  readonly headsLastRead: (kind: SubjectKind) => CommitHeads;
  readonly pathOf: (subject: Subject) => string;
}

/**
 * Ensures that of all ids that differ by case only, at most one is imported.
 *
 * Before the first import of an id starts, the id is recorded as a spelling of its folded id. A check therefore inspects
 * only the recorded spellings. The request log prevents changes between the check and the publication: it allows one
 * open request for all spellings of an id.
 */
export class CaseCollisionGuard {
  constructor(
    private readonly records: Records,
    private readonly storage: GuardedStorage,
  ) {}

  /** Returns the dataset that is imported under another spelling of a subject's id, or null. */
  async findCaseVariant(subject: Subject): Promise<ImportedCaseVariant | null> {
    return this.imported(subject, await this.spellings(subject));
  }

  /** Records the spelling of a subject that an import starts. @throws CaseVariantImportedError if another spelling is imported */
  async admit(subject: Subject): Promise<void> {
    const spellings = await this.spellings(subject);
    const caseVariant = await this.imported(subject, spellings);
    if (caseVariant) throw new CaseVariantImportedError(subject, caseVariant);
    if (spellings.includes(subject.id)) return;
    let index = spellings.length;
    while (!(await this.records.create(recordPath(subject, index), subject.id))) index += 1;
  }

  private async spellings(subject: Subject): Promise<readonly string[]> {
    const spellings: string[] = [];
    for (;;) {
      const spelling = await this.records.read(recordPath(subject, spellings.length));
      if (spelling === null) return spellings;
      spellings.push(spelling);
    }
  }

  /** Inspects the recorded spellings and the last listing. Data that was copied by hand is only in the listing. */
  private async imported({ kind, id }: Subject, recorded: readonly string[]): Promise<ImportedCaseVariant | null> {
    for (const spelling of [...recorded, this.storage.headsLastRead(kind).caseVariantOf(id) ?? id]) {
      if (!differByCaseOnly(spelling, id)) continue;
      const commit = await this.storage.commitAt({ kind, id: spelling });
      if (commit && differByCaseOnly(commit.id, id)) return { commit, path: this.storage.pathOf(commit) };
    }
    return null;
  }
}

/** @param index of the spelling, in the order of the first imports; an id cannot contain the `~` before the index */
function recordPath({ kind, id }: Subject, index: number): string {
  return `${folder}/${kind}/${foldedId(id)}${index === 0 ? '' : `~${String(index)}`}`;
}
