import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Files by path. */
export type Files = Readonly<Record<string, string | Buffer>>;

/** Writes files below a folder. */
export async function layFiles(folder: string, files: Files): Promise<void> {
  for (const [path, bytes] of Object.entries(files)) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
  }
}

/** Returns a Frictionless data package of the files, each with its SHA-256. */
export function aDataPackage(title: string, files: Files): Files {
  const resources = Object.entries(files).map(([path, bytes]) => ({
    path,
    bytes: Buffer.byteLength(bytes),
    hash: `sha256:${digest('sha256', bytes)}`,
  }));
  return { ...files, 'datapackage.json': JSON.stringify({ title, resources }) };
}

/** Returns a bag of the files with an MD5 manifest. */
export function aBag(files: Files): Files {
  const payload = Object.entries(files).map(([path, bytes]) => [`data/${path}`, bytes] as const);
  return {
    'bagit.txt': 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
    'manifest-md5.txt': payload.map(([path, bytes]) => `${digest('md5', bytes)}  ${path}\n`).join(''),
    ...Object.fromEntries(payload),
  };
}

export function digest(algorithm: string, bytes: string | Buffer): string {
  return createHash(algorithm).update(bytes).digest('hex');
}
