import { submissionFile } from './declarations/submission-file.js';
import { couldDescribe } from './declarations/descriptors.js';
import type { SourceEntry, SourceSystem } from '../model/source-system.js';
import type { SubmissionFiles } from './walked-descriptors.js';

/** Milliseconds for which a walk serves other datasets of the submission, of which there may be thousands. */
const keptMs = 2_000;

/** Finds the checksum lists at the top of submissions. */
export class SubmissionLists {
  private readonly recent = new Map<string, { readonly until: number; readonly files: Promise<SubmissionFiles> }>();

  constructor(private readonly source: SourceSystem) {}

  /** Returns the lists and documents of a submission. They may be up to two seconds old. */
  of(submission: string): Promise<SubmissionFiles> {
    const now = Date.now();
    for (const [key, { until }] of this.recent) if (until <= now) this.recent.delete(key);
    const known = this.recent.get(submission);
    if (known) return known.files;
    const files = this.walk(submission);
    this.recent.set(submission, { until: now + keptMs, files });
    files.catch(() => this.recent.delete(submission));
    return files;
  }

  private async walk(submission: string): Promise<SubmissionFiles> {
    const place = { kind: 'submission', submission, id: submission } as const;
    const lists: SourceEntry[] = [];
    const documents: string[] = [];
    for await (const items of this.source.walk(place))
      for (const { entry } of items) {
        if (entry?.type !== 'file') continue;
        documents.push(entry.path);
        if (entry.path !== submissionFile && couldDescribe(place, entry.path)) lists.push(entry);
      }
    return { lists, documents };
  }
}
