import { createHash } from 'node:crypto';
import { jsonFile, textFile, type SampleFile } from './delivery.ts';

/** The metadata of a Frictionless data package. */
export interface PackageTitle {
  readonly name: string;
  readonly title: string;
  /** The time of its creation, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly created: string;
}

const mediaTypes: Readonly<Record<string, string>> = { csv: 'text/csv', json: 'application/json', vcf: 'text/x-vcf' };

/** Adds a `datapackage.json` (Frictionless Data Package 1.0) with the size and SHA-256 of every file. */
export function dataPackage(about: PackageTitle, files: readonly SampleFile[]): SampleFile[] {
  const resources = files.map(({ path, bytes }) => {
    const format = path.slice(path.lastIndexOf('.') + 1);
    return {
      name: path
        .replace(/^.*\//, '')
        .replace(/\.[^.]*$/, '')
        .toLowerCase()
        .replaceAll('_', '-'),
      path,
      format,
      mediatype: mediaTypes[format] ?? 'application/octet-stream',
      bytes: bytes.length,
      hash: `sha256:${digest('sha256', bytes)}`,
    };
  });
  const licences = [{ name: 'CC0-1.0', path: 'https://creativecommons.org/publicdomain/zero/1.0/' }];
  return [jsonFile('datapackage.json', { profile: 'data-package', ...about, licenses: licences, resources }), ...files];
}

/** Puts files into a BagIt bag (RFC 8493) with SHA-256 and MD5 manifests. */
export function bag(
  about: { readonly title: string; readonly date: string },
  files: readonly SampleFile[],
): SampleFile[] {
  const payload = files.map(({ path, bytes }) => ({ path: `data/${path}`, bytes }));
  const octets = payload.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const tags = [
    textFile('bagit.txt', 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n'),
    textFile(
      'bag-info.txt',
      `Source-Organization: Ardenne Institute for Child Neurology\nExternal-Description: ${about.title}\n` +
        `Bagging-Date: ${about.date}\nPayload-Oxum: ${String(octets)}.${String(payload.length)}\n`,
    ),
    manifest('manifest-sha256.txt', 'sha256', payload),
    manifest('manifest-md5.txt', 'md5', payload),
  ];
  return [...tags, manifest('tagmanifest-sha256.txt', 'sha256', tags), ...payload];
}

function manifest(path: string, algorithm: string, files: readonly SampleFile[]): SampleFile {
  return textFile(path, files.map((file) => `${digest(algorithm, file.bytes)}  ${file.path}\n`).join(''));
}

function digest(algorithm: string, bytes: Buffer): string {
  return createHash(algorithm).update(bytes).digest('hex');
}
