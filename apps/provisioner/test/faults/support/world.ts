import { GetObjectCommand } from '@aws-sdk/client-s3';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bucket } from '../../../src/s3/bucket.js';
import type { ImportResponse } from '../../../src/imports/import.response.js';
import type { Commit, FileRecord } from '../../../src/model/commit.js';
import type { TestSystem } from '../../support/system.js';
import { lookAtBucket, lookAtFolder, type Seen, type SeenFile } from './look.js';

/** The paths of commit records. */
const commitShapes = {
  folder: /^data\/raw\/([^/]+)\/\.import\/commit\.json$/,
  bucket: /^data\/\.commits\/raw\/([^/]+)\.json$/,
};

/**
 * An independent check of a test system: its source, its storage, and the reports of the service. `check` is called when
 * all imports have ended.
 */
export class World {
  private constructor(
    private readonly system: TestSystem,
    private readonly bucket: Bucket | null,
    private readonly source: Seen,
  ) {}

  /** Reads the source, which must not change from now on. */
  static async of(system: TestSystem, bucket: Bucket | null = null): Promise<World> {
    return new World(system, bucket, await lookAtFolder(system.source));
  }

  /** Returns the current content of the storage. */
  storage(): Promise<Seen> {
    return this.bucket ? lookAtBucket(this.bucket) : lookAtFolder(this.system.storage);
  }

  /** Returns the stored files of a dataset, staged or published, by their path in the dataset. */
  async filesOf(id: string): Promise<ReadonlyMap<string, SeenFile>> {
    const shape = new RegExp(`^data/(?:raw/${id}|\\.staging/dataset/${id}/[^/]+/payload)/((?!\\.import/).+)$`);
    const files = [...(await this.storage()).files.values()];
    return new Map(files.flatMap((file) => (shape.test(file.path) ? [[file.path.replace(shape, '$1'), file]] : [])));
  }

  /** Returns whether a dataset is published: by its folder or, in a bucket, by its commit object. */
  async isVisible(id: string): Promise<boolean> {
    const { files, folders } = await this.storage();
    return this.bucket ? files.has(`data/.commits/raw/${id}.json`) : folders.has(`data/raw/${id}`);
  }

  /**
   * Stops the workers of this process, and fails with every invariant that does not hold.
   *
   * @param killedAnywhere whether processes were killed while they wrote records. Such a process may leave a temporary
   *   file, which the sweeper removes an hour later.
   */
  async check({ killedAnywhere = false } = {}): Promise<void> {
    await this.system.stopWorkers();
    const [seen, imports] = [await this.storage(), await this.imports()];
    const commits = await this.commits(seen);
    const broken = [
      ...onlyCommitted(seen, commits, imports),
      ...(await Promise.all([...commits].map(([id, commit]) => this.complete(seen, id, commit)))).flat(),
      ...(await this.unchangedElsewhere(seen)),
      ...truthful(imports, commits),
      ...(await this.rightDiff(commits)),
      ...nothingLeft(seen, imports).filter((leftover) => !killedAnywhere || !/\.requests\/.+\.tmp is/.test(leftover)),
      ...(this.bucket ? [] : readOnly(seen)),
    ];
    expect(broken).toEqual([]);
  }

  /** Checks that a published dataset equals its source and its lists. */
  private async complete(seen: Seen, id: string, commit: Commit): Promise<string[]> {
    const lines = (await this.read(`data/raw/${id}/.import/files.ndjson`)).trim().split('\n').filter(Boolean);
    const listed = lines.map((line) => JSON.parse(line) as FileRecord).filter(({ type }) => type === 'file');
    const inSource = below(this.source, `${commit.source.locator}/`);
    const inStorage = below(seen, `data/raw/${id}/`);
    const ofList = listed.map(({ path, size, sha256 = '' }) => `${path} ${String(size)} ${sha256}`).sort();
    const manifest = (await this.read(`data/raw/${id}/.import/manifest-sha256.txt`)).split('\n').filter(Boolean);
    return [
      ...(same(inStorage, inSource) ? [] : [`I2: ${id} differs from its source`]),
      ...(same(inStorage, ofList) ? [] : [`I2: ${id} differs from its list`]),
      ...(manifest.length === listed.length ? [] : [`I2: the manifest of ${id} has ${String(manifest.length)} lines`]),
      ...(commit.content.files === listed.length
        ? []
        : [`I2: the commit of ${id} has another number of files than its list`]),
    ];
  }

  private async unchangedElsewhere(seen: Seen): Promise<string[]> {
    const now = await lookAtFolder(this.system.source);
    const facts = ({ files }: Seen): string[] => [...files.values()].map((file) => JSON.stringify(file)).sort();
    const outside = [...seen.files.keys()].filter((path) => !path.startsWith('data/'));
    return [
      ...(same(facts(now), facts(this.source)) ? [] : ['I3: the source was changed']),
      ...outside.map((path) => `I3: ${path} is outside of data/`),
    ];
  }

  private async rightDiff(commits: ReadonlyMap<string, Commit>): Promise<string[]> {
    const ids = new Set([...this.source.folders.keys()].flatMap((path) => /^[^/]+\/([^/]+)$/.exec(path)?.[1] ?? []));
    const wanted = [...ids].filter((id) => !commits.has(id)).sort();
    const found = (await this.system.get('/datasets/srcsys/diff')).body.items.map(({ id }) => id).sort();
    return same(found, wanted) ? [] : [`I6: the diff is ${found.join(', ')} instead of ${wanted.join(', ')}`];
  }

  private async commits({ files }: Seen): Promise<ReadonlyMap<string, Commit>> {
    const shape = this.bucket ? commitShapes.bucket : commitShapes.folder;
    const found = [...files.keys()].flatMap((path) => {
      const id = shape.exec(path)?.[1];
      return id === undefined ? [] : [this.read(path).then((text) => [id, JSON.parse(text) as Commit] as const)];
    });
    return new Map(await Promise.all(found));
  }

  private async imports(): Promise<readonly ImportResponse[]> {
    const { body } = await this.system.get('/imports?limit=1000');
    return body.items as unknown as readonly ImportResponse[];
  }

  private async read(path: string): Promise<string> {
    if (!this.bucket) return readFile(join(this.system.storage, path), 'utf8');
    const at = { Bucket: this.bucket.name, Key: this.bucket.prefix + path };
    const { Body } = await this.bucket.client.send(new GetObjectCommand(at));
    return (await Body?.transformToString()) ?? '';
  }
}

/** Checks that every folder in `data/raw` has a commit record and the reverse. Failed imports in a bucket are exempt. */
function onlyCommitted(
  { files, folders }: Seen,
  commits: ReadonlyMap<string, Commit>,
  imports: readonly ImportResponse[],
): string[] {
  const names = new Set(
    [...files.keys(), ...folders.keys()].flatMap((path) => /^data\/raw\/([^/]+)/.exec(path)?.[1] ?? []),
  );
  const resumable = new Set(imports.filter(({ state }) => state === 'failed').map(({ subject }) => subject));
  const isBucket = folders.size === 0;
  return [
    ...[...names]
      .filter((id) => !commits.has(id) && !(isBucket && resumable.has(id)))
      .map((id) => `I1: ${id} is visible without a commit`),
    ...[...commits].filter(([id]) => !names.has(id)).map(([id]) => `I1: ${id} has a commit and no files`),
    ...[...commits].filter(([id, commit]) => commit.id !== id).map(([id]) => `I1: the commit of ${id} has another id`),
  ];
}

/** Checks that the reported imports match the storage. */
function truthful(imports: readonly ImportResponse[], commits: ReadonlyMap<string, Commit>): string[] {
  const datasets = imports.filter(({ kind }) => kind === 'dataset');
  const finished = datasets.filter(({ state }) => state === 'finished').map(({ subject }) => subject);
  return [
    ...finished.filter((id, index) => finished.indexOf(id) !== index).map((id) => `I4: ${id} was published twice`),
    ...[...commits.keys()]
      .filter((id) => !finished.includes(id))
      .map((id) => `I4: no import reports ${id} as finished`),
    ...datasets
      .filter(({ state }) => !['finished', 'rejected', 'failed', 'cancelled'].includes(state))
      .map(({ id, state }) => `I5: ${id} is still ${state}`),
    ...datasets
      .filter(({ id, state, subject }) => state === 'finished' && commits.get(subject)?.import_id !== id)
      .map(({ id }) => `I8: ${id} is reported as finished without a commit`),
    ...datasets
      .filter(({ state, error }) => ['rejected', 'failed'].includes(state) && !(error?.code && error.message))
      .map(({ id }) => `I9: ${id} has no error`),
  ];
}

/** Checks that no data of attempts and requests remains, except the data that a failed import can resume with. */
function nothingLeft({ files, folders, oddities }: Seen, imports: readonly ImportResponse[]): string[] {
  const resumable = imports.filter(({ state }) => state === 'failed').map(({ subject }) => subject);
  const isResumable = (path: string): boolean =>
    resumable.some((id) => path.startsWith(`data/.staging/dataset/${id}/`) || path.endsWith(`/${id}`));
  const paths = [...files.keys(), ...[...folders.keys()].filter((path) => /\.staging\/[^/]+\/./.test(path))];
  return [
    ...paths
      .filter((path) => /^data\/\.(staging\/|requests\/(open|requests|status|cancel|shared|probe)\/)|\.tmp$/.test(path))
      .concat(oddities)
      .filter((path) => !isResumable(path))
      .map((path) => `I7: ${path} is a leftover`),
  ];
}

function readOnly({ files, folders }: Seen): string[] {
  const inRaw = (path: string): boolean => path.startsWith('data/raw/');
  return [
    ...[...files.values()].filter(({ path, mode }) => inRaw(path) && mode !== '440').map(({ path }) => path),
    ...[...folders].filter(([path, mode]) => inRaw(path) && mode !== '550').map(([path]) => path),
  ].map((path) => `I10: ${path} is not read-only`);
}

function below({ files }: Seen, folder: string): string[] {
  return [...files.values()]
    .filter(({ path }) => path.startsWith(folder) && !path.startsWith(`${folder}.import/`))
    .map(({ path, size, sha256 }) => `${path.slice(folder.length)} ${String(size)} ${sha256}`)
    .sort();
}

function same(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each, at) => each === others[at]);
}
