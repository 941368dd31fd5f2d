import { Injectable, Logger } from '@nestjs/common';
import { createInterface } from 'node:readline';
import type { Commit, FileRecord } from '../storage/commit.js';
import { Storage } from '../storage/storage.js';
import { collectionCrate, crateFile } from './collection-crate.js';
import { subjectOf, FollowUps } from './follow-ups.js';

/** Keeps the description of each project collection true as its datasets come and go. */
@Injectable()
export class CollectionDescriber {
  private readonly logger = new Logger(CollectionDescriber.name);

  constructor(
    private readonly followUps: FollowUps,
    private readonly storage: Storage,
  ) {}

  /** Describes every collection of which something is noted. @throws the first failure, when all were tried */
  async describePending(): Promise<void> {
    const failures: unknown[] = [];
    const noted = await this.followUps.pending('description');
    for (const reference of new Set(noted.map(subjectOf))) {
      try {
        await this.describe(reference);
        // Only what was noted before it was described: what has come meanwhile has a name of its own.
        const names = noted.filter((name) => subjectOf(name) === reference);
        for (const name of names) await this.followUps.done('description', name);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
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
      await this.storage.writeBeside(subject, crateFile, text);
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
    const lines = createInterface({ input: this.storage.openList({ kind, id }, 'ndjson') });
    for await (const line of lines) documents.push(JSON.parse(line) as FileRecord);
    return documents;
  }
}
