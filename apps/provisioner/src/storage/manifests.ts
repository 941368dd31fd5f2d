import type { Commit, FileRecord } from '../model/commit.js';
import { manifestOf } from '../model/layout.js';
import type { ManifestAlgorithm } from '../settings/manifest-algorithms.js';
import { manifestLine } from './lists.js';

/** A list that an attempt appends to. */
interface AppendedList {
  add(lines: string): Promise<void>;
  /** @returns the hexadecimal SHA-256 of the whole list */
  finish(): Promise<string>;
}

/** The manifests of an attempt: one with SHA-256, and one for each further algorithm. */
export class Manifests {
  private readonly lists: readonly (readonly [ManifestAlgorithm, AppendedList])[];

  /** @param openList opens a list, by its path in the published folder */
  constructor(further: readonly ManifestAlgorithm[], openList: (path: string) => AppendedList) {
    const algorithms = ['sha256', ...further] as const;
    this.lists = algorithms.map((algorithm) => [algorithm, openList(manifestOf(algorithm))]);
  }

  /** The paths of the manifests in the published folder. */
  get paths(): readonly string[] {
    return this.lists.map(([algorithm]) => manifestOf(algorithm));
  }

  async add(records: readonly FileRecord[]): Promise<void> {
    for (const [algorithm, list] of this.lists)
      await list.add(records.map((record) => manifestLine(record, algorithm)).join(''));
  }

  /** Completes the manifests. @returns their digests, as the commit states them */
  async finish(): Promise<Pick<Commit['content'], 'manifest_sha256' | 'manifests'>> {
    const digests: Partial<Record<ManifestAlgorithm, string>> = {};
    for (const [algorithm, list] of this.lists) digests[algorithm] = await list.finish();
    const { sha256 = '', ...manifests } = digests;
    return { manifest_sha256: sha256, ...(Object.keys(manifests).length > 0 && { manifests }) };
  }
}
