import type { Bucket } from '../../s3/bucket.js';
import { abortUpload, openUploads } from '../../s3/multipart.js';
import type { Subject } from '../../model/identifier.js';
import { openImportFolders, type Layout } from '../../model/layout.js';
import { importIdOf, type Leftover } from '../../model/leftover.js';

const kinds = ['dataset', 'submission'] as const;

/** What killed processes have left in a bucket. @param discard removes what is staged of a subject, if it may */
export async function* s3Leftovers(
  bucket: Bucket,
  layout: Layout,
  discard: (subject: Subject) => Promise<boolean>,
): AsyncGenerator<Leftover> {
  for (const kind of kinds) {
    const { folders } = await bucket.listFolder(`${layout.data}/.staging/${kind}/`);
    for (const id of folders) {
      const subject = { kind, id };
      let touchedAt = 0;
      for await (const { modifiedAt } of bucket.list(`${layout.staging(subject)}/`)) {
        touchedAt = Math.max(touchedAt, modifiedAt);
      }
      yield { name: layout.staging(subject), subject, touchedAt, remove: () => discard(subject) };
    }
  }
  for await (const { key, modifiedAt } of bucket.list(`${layout.probes}/`)) {
    yield { name: key, subject: null, touchedAt: modifiedAt, remove: () => bucket.remove(key).then(() => true) };
  }
  for (const folder of openImportFolders) {
    for await (const { key, modifiedAt } of bucket.list(`${layout.requests}/${folder}/`)) {
      const importId = importIdOf(key);
      const remove = (): Promise<boolean> => bucket.remove(key).then(() => true);
      if (importId !== undefined) yield { name: key, subject: null, importId, touchedAt: modifiedAt, remove };
    }
  }
  for (const upload of await openUploads(bucket, `${layout.data}/`)) {
    const subject = subjectOf(layout, upload.key);
    const name = `the upload of ${upload.key}`;
    yield { name, subject, touchedAt: upload.begunAt, remove: () => abortUpload(bucket, upload).then(() => true) };
  }
}

function subjectOf(layout: Layout, key: string): Subject | null {
  for (const kind of kinds) {
    // A withdrawal that copies a large file aside may take longer than anything rests.
    const id = folderIn(layout.published(kind), key) ?? folderIn(layout.withdrawn(kind), key)?.replace(/\.[^.]*$/, '');
    if (id !== undefined) return { kind, id };
  }
  return null;
}

function folderIn(folder: string, key: string): string | undefined {
  return key.startsWith(`${folder}/`) ? key.slice(folder.length + 1).split('/')[0] : undefined;
}
