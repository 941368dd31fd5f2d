import { Injectable, Logger } from '@nestjs/common';
import type { Commit, FileRecord } from '../model/commit.js';
import { linesIn } from '../storage/lists.js';
import { Storage } from '../model/storage.js';
import { collectionCrate, crateFile } from './collection-crate.js';
import { PostImportTasks } from './post-import-tasks.js';
import { SubjectBackoff } from './subject-backoff.js';

/** The writer of the descriptions of project collections. It updates them when datasets are imported or withdrawn. */
@Injectable()
export class CollectionDescriber {
  private readonly logger = new Logger(CollectionDescriber.name);
  private readonly pending = new SubjectBackoff(this.logger);

  constructor(
    private readonly tasks: PostImportTasks,
    private readonly storage: Storage,
  ) {}

  /**
   * Describes every collection with a pending task.
   *
   * @returns the time until the next retry, in milliseconds
   * @throws the first failure if every description failed
   */
  async describePending(): Promise<number> {
    const pending = await this.tasks.listPending('description');
    return this.pending.run([...pending.keys()], async (reference) => {
      await this.describe(reference);
      await this.tasks.complete('description', pending.get(reference));
    });
  }

  /**
   * Writes the description of a collection until it no longer changes, because other workers may change the collection. A
   * submission without a collection is skipped, because its import records another task.
   */
  private async describe(reference: string): Promise<void> {
    const subject = { kind: 'submission', id: reference } as const;
    const commit = await this.storage.findCommit(subject);
    if (!commit) return;
    const documents = await this.documentsOf(commit);
    if (documents.some(({ path }) => path === crateFile)) {
      this.logger.warn(`the delivered ${crateFile} is kept: submission=${reference}`);
      return;
    }
    let written = '';
    for (let text = await this.build(commit, documents); text !== written; text = await this.build(commit, documents)) {
      await this.storage.writeDocument(subject, crateFile, text);
      written = text;
    }
  }

  /** Builds the description with the datasets at the time of the import and those that were imported since. */
  private async build(commit: Commit, documents: readonly FileRecord[]): Promise<string> {
    const { bySubject } = await this.storage.commits('dataset');
    const imported = [...bySubject.values()].filter(({ submission }) => submission === commit.id);
    const ids = new Set([...(commit.members ?? []), ...imported.map(({ id }) => id)]);
    const members = [...ids].sort().map((id) => ({ id, head: bySubject.get(id) }));
    return collectionCrate(commit, documents, members);
  }

  private async documentsOf({ kind, id }: Commit): Promise<FileRecord[]> {
    const documents: FileRecord[] = [];
    const list = this.storage.openList({ kind, id }, 'ndjson') as AsyncIterable<Buffer>;
    for await (const lines of linesIn(list)) documents.push(...lines.map((line) => JSON.parse(line) as FileRecord));
    return documents;
  }
}
