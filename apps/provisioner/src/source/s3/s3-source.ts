import { mapConcurrently } from '../../concurrency/for-each-concurrently.js';
import type { Bucket } from '../../s3/bucket.js';
import { s3FailureOf, s3StatusOf } from '../../s3/s3-failure.js';
import {
  foldersOf,
  SourceChangedError,
  SourceFailure,
  SourceSystem,
  type ListedSubmission,
  type NextBuffer,
  type PinnedFile,
  type SourceObjects,
  type SourcePlace,
  type WalkItem,
} from '../../model/source-system.js';
import type { FolderState } from '../../model/source-sight.js';
import { checkIdentity, identityFile } from '../source-identity.js';
import { KeyWalk } from './s3.walk.js';

/** Submissions that are listed at once. */
const listingsAtOnce = 16;

/** Items of a walk that are yielded together. */
const itemsAtOnce = 512;

/** A source system in a bucket, with keys `<reference>/<dataset_id>/...` below the prefix. */
export class S3Source extends SourceSystem {
  /**
   * @param marker the name of the object that marks a delivery as complete
   * @param identity the text that the identity object must contain; undefined if none is expected
   */
  constructor(
    private readonly bucket: Bucket,
    private readonly marker: string,
    private readonly identity?: string,
  ) {
    super();
  }

  override async probe(): Promise<void> {
    await guarded(() => this.bucket.holdsAny(''));
    await checkIdentity(this.identity, () =>
      guarded(async () => (await this.bucket.get(identityFile))?.toString() ?? null),
    );
  }

  /** The bucket and its key are settings, so no machine lacks the source or sees an outdated one. */
  override foldersTo(): Promise<readonly FolderState[]> {
    return Promise.resolve([]);
  }

  override list(): Promise<readonly ListedSubmission[]> {
    return guarded(async () =>
      mapConcurrently(await this.foldersIn(''), listingsAtOnce, async (reference) => ({
        reference,
        datasets: await this.foldersIn(`${reference}/`),
      })),
    );
  }

  override isMarked({ submission, id }: SourcePlace): Promise<boolean> {
    return guarded(async () => {
      const markers = [`${submission}/${this.marker}`, `${submission}/${id}/${this.marker}`];
      const found = await Promise.all(markers.map((key) => this.bucket.head(key)));
      return found.some((object) => object !== null);
    });
  }

  /** Returns the same text for every state: a store has no folders that show a change. */
  override topOf(): Promise<string> {
    return Promise.resolve('');
  }

  override async *walk(place: SourcePlace): AsyncGenerator<readonly WalkItem[]> {
    const under = prefixOf(place);
    const walk = new KeyWalk(this.marker);
    try {
      // A submission's documents are the objects directly below it. Deeper objects belong to datasets.
      const objects =
        place.kind === 'submission' ? (await this.bucket.listFolder(under)).objects : this.bucket.list(under);
      let items: WalkItem[] = [];
      for await (const object of objects) {
        items.push(...walk.next(object.key.slice(under.length), object));
        if (items.length < itemsAtOnce) continue;
        yield items;
        items = [];
      }
      yield items;
    } catch (error) {
      throw asSourceFailure(error);
    }
  }

  override async *open(
    place: SourcePlace,
    { path, size, version }: PinnedFile,
    next: NextBuffer,
  ): AsyncGenerator<Buffer> {
    let length = 0;
    try {
      for await (const bytes of this.bucket.read(prefixOf(place) + path, version, next)) {
        length += bytes.length;
        yield bytes;
      }
    } catch (error) {
      throw [404, 412].includes(s3StatusOf(error) ?? 0) ? new SourceChangedError(path) : asSourceFailure(error);
    }
    if (length !== size) throw new SourceChangedError(path);
  }

  /** Returns null: copy threads read folders only. */
  override locate(): null {
    return null;
  }

  override objectsOf(place: SourcePlace): SourceObjects {
    const { store, name, prefix } = this.bucket;
    return { store, bucket: name, prefix: prefix + prefixOf(place) };
  }

  private async foldersIn(under: string): Promise<string[]> {
    const { folders } = await this.bucket.listFolder(under);
    return folders.filter((name) => !name.startsWith('.')).sort();
  }
}

function prefixOf(place: SourcePlace): string {
  return `${foldersOf(place).join('/')}/`;
}

async function guarded<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw asSourceFailure(error);
  }
}

function asSourceFailure(error: unknown): unknown {
  const failure = s3FailureOf(error);
  return failure ? new SourceFailure(`The source cannot be read: ${failure.message}`, failure.errno, error) : error;
}
