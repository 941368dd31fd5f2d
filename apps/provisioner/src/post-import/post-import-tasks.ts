import { Injectable } from '@nestjs/common';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import type { Commit } from '../model/commit.js';
import { Records } from '../model/records.js';

/** What is left to do after an import or a withdrawal: telling the catalog of a dataset, describing a collection anew. */
export type PostImportTask = 'catalog' | 'description';

/** Stands in no id and no reference. */
const separator = '~';

/** The dataset or collection that a name is about under which something is noted: each import notes it by itself. */
function subjectOf(name: string): string {
  return name.slice(0, name.indexOf(separator));
}

/** Where what is left to do is noted, below `data/`. */
const folderOf = (task: PostImportTask): string => `.requests/pending/${task}`;

/** Where datasets are noted that the catalog does not know, or does not take. */
const untoldFolder = '.requests/untold';

/**
 * What is left to do after an import, kept in storage. It is noted before the import's ending is written and removed once
 * it is done: a crash in between does it twice, never not at all.
 */
@Injectable()
export class PostImportTasks {
  private runNow: () => void = () => undefined;

  constructor(
    private readonly records: Records,
    private readonly settings: ProvisionerSettings,
  ) {}

  /** Calls back whenever something is noted in this process. */
  onRecorded(hurry: () => void): void {
    this.runNow = hurry;
  }

  /** Notes what an import or a withdrawal leaves to do: something came or went. Twice is once. */
  async recordChange(importId: string, { kind, id, source }: Commit): Promise<void> {
    if (kind === 'dataset' && this.settings.CATALOG_URL !== undefined)
      await this.note('catalog', `${id}${separator}${importId}`);
    await this.note('description', `${source.submission}${separator}${importId}`);
  }

  /** The datasets or collections for which something is to be done, each with the names under which that is noted. */
  async listPending(task: PostImportTask): Promise<ReadonlyMap<string, readonly string[]>> {
    const bySubject = new Map<string, string[]>();
    for (const name of (await this.records.names(folderOf(task))).map(withoutEnding)) {
      const names = bySubject.get(subjectOf(name)) ?? [];
      bySubject.set(subjectOf(name), names);
      names.push(name);
    }
    return bySubject;
  }

  /** Takes back what was noted before it was done; what has come meanwhile has a name of its own. */
  async complete(task: PostImportTask, names: readonly string[] = []): Promise<void> {
    for (const name of names) await this.records.remove(`${folderOf(task)}/${name}.json`);
  }

  /** Keeps why the catalog was not told of a dataset, for operators to see and to be tried again. */
  async recordUnnotified(id: string, why: string): Promise<void> {
    await this.records.replace(`${untoldFolder}/${id}.json`, `${JSON.stringify({ at: now(), why })}\n`);
  }

  /** Datasets that the catalog was not told of. */
  async listUnnotified(): Promise<readonly string[]> {
    return (await this.records.names(untoldFolder)).map(withoutEnding);
  }

  async removeUnnotified(id: string): Promise<void> {
    await this.records.remove(`${untoldFolder}/${id}.json`);
  }

  private async note(task: PostImportTask, name: string): Promise<void> {
    await this.records.create(`${folderOf(task)}/${name}.json`, `${JSON.stringify({ noted_at: now() })}\n`);
    this.runNow();
  }
}

function now(): string {
  return new Date().toISOString();
}

function withoutEnding(name: string): string {
  return name.replace(/\.json$/, '');
}
