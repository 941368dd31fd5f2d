import { Injectable } from '@nestjs/common';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import type { Commit } from '../model/commit.js';
import { Records } from '../model/records.js';

/**
 * The kinds of tasks after an import or a withdrawal: notify the catalog of a location, describe a collection, or report
 * the ending to the catalog.
 */
export type PostImportTask = 'catalog' | 'description' | 'ending';

/** The separator between the id of a subject and the id of an import. No id contains it. */
const separator = '~';

const folderOf = (task: PostImportTask): string => `.requests/pending/${task}`;

/** The folder of the datasets that the catalog does not have or refused. */
const refusedFolder = '.requests/untold';

/**
 * The outbox of tasks after imports, in the storage. A task is recorded before the ending of the import is written, and
 * removed when it is complete. After a crash a task may be performed twice, but is never lost.
 */
@Injectable()
export class PostImportTasks {
  private readonly listeners: (() => void)[] = [];

  constructor(
    private readonly records: Records,
    private readonly settings: ProvisionerSettings,
  ) {}

  /** Adds a listener that is called after each task that this process records. */
  onRecorded(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Records the tasks after an import or a withdrawal. The method may be called again with the same effect. */
  async recordChange(importId: string, { kind, id, source }: Commit): Promise<void> {
    if (kind === 'dataset' && this.settings.CATALOG_URL !== undefined)
      await this.record('catalog', `${id}${separator}${importId}`);
    await this.record('description', `${source.submission}${separator}${importId}`);
  }

  /** Records that an ending must be reported. The method may be called again with the same effect. */
  async recordEnding(importId: string, attempt: number): Promise<void> {
    if (this.settings.CATALOG_URL === undefined) return;
    await this.record('ending', `${importId}${separator}${String(attempt)}`);
  }

  /** Lists the datasets, submissions or imports with pending tasks. The values are the names of the tasks. */
  async listPending(task: PostImportTask): Promise<ReadonlyMap<string, readonly string[]>> {
    const bySubject = new Map<string, string[]>();
    for (const name of await this.namesIn(folderOf(task))) {
      const subjectId = name.slice(0, name.indexOf(separator));
      const names = bySubject.get(subjectId) ?? [];
      bySubject.set(subjectId, names);
      names.push(name);
    }
    return bySubject;
  }

  /** Removes completed tasks by their names. Tasks that were recorded in the meantime have other names. */
  async complete(task: PostImportTask, names: readonly string[] = []): Promise<void> {
    for (const name of names) await this.records.remove(`${folderOf(task)}/${name}.json`);
  }

  async recordRefused(id: string, reason: string): Promise<void> {
    await this.records.replace(`${refusedFolder}/${id}.json`, `${JSON.stringify({ at: now(), why: reason })}\n`);
  }

  /** Lists the datasets whose notifications the catalog refused. */
  listRefused(): Promise<readonly string[]> {
    return this.namesIn(refusedFolder);
  }

  async removeRefused(id: string): Promise<void> {
    await this.records.remove(`${refusedFolder}/${id}.json`);
  }

  private async record(task: PostImportTask, name: string): Promise<void> {
    await this.records.create(`${folderOf(task)}/${name}.json`, `${JSON.stringify({ noted_at: now() })}\n`);
    for (const listener of this.listeners) listener();
  }

  private async namesIn(folder: string): Promise<readonly string[]> {
    return (await this.records.names(folder)).map((name) => name.replace(/\.json$/, ''));
  }
}

function now(): string {
  return new Date().toISOString();
}
