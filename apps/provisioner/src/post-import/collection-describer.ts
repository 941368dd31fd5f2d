import { Injectable, Logger } from '@nestjs/common';
import type { Commit, FileRecord } from '../model/commit.js';
import { linesIn } from '../storage/lists.js';
import { Storage } from '../model/storage.js';
import { collectionCrate, crateFile } from './collection-crate.js';
import { PostImportTasks } from './post-import-tasks.js';
import { SubjectBackoff } from './subject-backoff.js';

/** Keeps the description of each project collection true as its datasets come and go. */
@Injectable()
export class CollectionDescriber {
  private readonly logger = new Logger(CollectionDescriber.name);
  private readonly pending = new SubjectBackoff(this.logger);

  constructor(
    private readonly followUps: PostImportTasks,
    private readonly storage: Storage,
  ) {}

  /**
   * Describes every collection of which something is noted.
   *
   * @returns after how many milliseconds one is to be tried again
   * @throws the first failure, when it could describe none
   */
  async describePending(): Promise<number> {
    const noted = await this.followUps.listPending('description');
    return this.pending.run([...noted.keys()], async (reference) => {
      await this.describe(reference);
      await this.followUps.complete('description', noted.get(reference));
    });
  }

  /**
   * Writes a collection's description; nothing for a submission that is not imported: it is described once it is. After
   * writing it looks again, so that of several workers at once the last has seen what all of them have done.
   */
  private async describe(reference: string): Promise<void> {
    const subject = { kind: 'submission', id: reference } as const;
    const commit = await this.storage.findCommit(subject);
    if (!commit) return;
    const documents = await this.documentsOf(commit);
    if (documents.some(({ path }) => path === crateFile)) {
      this.logger.warn(`${reference} was delivered with a ${crateFile} of its own, which stays as it is`);
      return;
    }
    let written = '';
    for (let text = await this.build(commit, documents); text !== written; text = await this.build(commit, documents)) {
      await this.storage.writeDocument(subject, crateFile, text);
      written = text;
    }
  }

  /** The datasets that were claimed when it was imported, and those that came to the submission since. */
  private async build(commit: Commit, documents: readonly FileRecord[]): Promise<string> {
    const { byId } = await this.storage.commits('dataset');
    const arrived = [...byId.values()].filter(({ submission }) => submission === commit.id);
    const ids = new Set([...(commit.members ?? []), ...arrived.map(({ id }) => id)]);
    const members = [...ids].sort().map((id) => ({ id, head: byId.get(id) }));
    return collectionCrate(commit, documents, members);
  }

  private async documentsOf({ kind, id }: Commit): Promise<FileRecord[]> {
    const documents: FileRecord[] = [];
    const list = this.storage.openList({ kind, id }, 'ndjson') as AsyncIterable<Buffer>;
    for await (const lines of linesIn(list)) documents.push(...lines.map((line) => JSON.parse(line) as FileRecord));
    return documents;
  }
}
