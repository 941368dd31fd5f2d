import { differByCaseOnly, foldedId, type Subject, type SubjectKind } from '../model/identifier.js';
import type { Commit, CommitHeads } from '../model/commit.js';
import type { Records } from '../model/records.js';
import type { ImportedCaseVariant } from '../model/storage.js';
import { CaseVariantImportedError } from '../model/storage-failure.js';

/** Where it is noted which spellings of an id were ever begun: one in each record, none of which is written again. */
const folder = '.requests/spelled';

/** What the guard asks its storage. */
interface GuardedStorage {
  /** The commit record where a subject's would be, whoever's it is. */
  readonly commitAt: (subject: Subject) => Promise<Commit | null>;
  /** The heads as they were last read. */
  readonly headsLastRead: (kind: SubjectKind) => CommitHeads;
  readonly pathOf: (subject: Subject) => string;
}

/**
 * Keeps ids apart that differ by case only: of those, one may be imported.
 *
 * Before an id is begun for the first time it is noted as a spelling of its folded id. So whatever stands is among a few
 * that can be looked at one by one, however many other ids there are. That none of them is begun or published between
 * this look and the publication is the request log's to see to: of all spellings one is open at a time.
 */
export class CaseCollisionGuard {
  constructor(
    private readonly records: Records,
    private readonly storage: GuardedStorage,
  ) {}

  /** What is imported under another spelling of a subject's id. */
  async findCaseVariant(subject: Subject): Promise<ImportedCaseVariant | null> {
    return this.imported(subject, await this.spellings(subject));
  }

  /** Lets a subject be begun. @throws TwinStandsError */
  async admit(subject: Subject): Promise<void> {
    const spellings = await this.spellings(subject);
    const caseVariant = await this.imported(subject, spellings);
    if (caseVariant) throw new CaseVariantImportedError(subject, caseVariant);
    if (spellings.includes(subject.id)) return;
    let at = spellings.length;
    while (!(await this.records.create(recordPath(subject, at), subject.id))) at += 1;
  }

  private async spellings(subject: Subject): Promise<readonly string[]> {
    const found: string[] = [];
    for (;;) {
      const spelling = await this.records.read(recordPath(subject, found.length));
      if (spelling === null) return found;
      found.push(spelling);
    }
  }

  /** What a list has shown is believed too: of what came by hand, or whose note is lost, nothing is noted. */
  private async imported({ kind, id }: Subject, noted: readonly string[]): Promise<ImportedCaseVariant | null> {
    for (const spelling of [...noted, this.storage.headsLastRead(kind).caseVariantOf(id) ?? id]) {
      if (!differByCaseOnly(spelling, id)) continue;
      const commit = await this.storage.commitAt({ kind, id: spelling });
      if (commit && differByCaseOnly(commit.id, id)) return { commit, path: this.storage.pathOf(commit) };
    }
    return null;
  }
}

/** @param at which of the spellings, in the order in which they were begun; the sign before it is in no id */
function recordPath({ kind, id }: Subject, at: number): string {
  return `${folder}/${kind}/${foldedId(id)}${at === 0 ? '' : `~${String(at)}`}`;
}
