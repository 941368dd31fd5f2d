import { InvalidArgumentError, UsageError } from '@rdc/cli';
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';

/** The lists of a DAISY, in the order of the import. API paths and file names contain these names. */
export const daisyLists = ['partners', 'cohorts', 'projects', 'datasets', 'contracts'] as const;

/** The name of one list of a DAISY. */
export type DaisyList = (typeof daisyLists)[number];

/** A source of DAISY's records. */
export interface DaisySource {
  /** Reads one list as DAISY's API returns it. @returns undefined if the source does not contain the list */
  read(list: DaisyList): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Reads the published partners. @returns undefined if the source does not state which partners are published */
  readPublishedPartners(): Promise<AsyncIterable<Uint8Array> | undefined>;
}

/** The time limit of one request. DAISY may need minutes for a list. */
const timeoutMs = 600_000;

/** A running DAISY, read through its API. */
export class DaisyApi implements DaisySource {
  /**
   * @param url the URL of the DAISY, without `/api`
   * @param key the global key of the DAISY, which may read unpublished records
   */
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  read(list: DaisyList): Promise<AsyncIterable<Uint8Array>> {
    return this.get(`api/${list}`);
  }

  readPublishedPartners(): Promise<AsyncIterable<Uint8Array>> {
    return this.get('api/partners?published=true');
  }

  private async get(path: string): Promise<AsyncIterable<Uint8Array>> {
    const address = urlBelow(this.url, path);
    const headers = { 'X-API-Key': this.key, Accept: 'application/json' };
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(address, { headers, signal, redirect: 'error' }).catch((cause: unknown) => {
      throw new UsageError(`${address.href} does not answer: ${reasonOf(cause)}`);
    });
    if (!response.ok || !response.body) {
      throw new UsageError(
        `${address.href} answered ${String(response.status)}: check that --key-file contains the global key of the DAISY.`,
      );
    }
    return response.body;
  }
}

/** A folder with files such as `projects.json`, as DAISY's API returns or DAISY's commands export them. */
export class DaisyFolder implements DaisySource {
  constructor(private readonly folder: string) {
    if (!daisyLists.some((list) => existsSync(this.fileOf(list)))) {
      throw new UsageError(
        `${folder} contains none of the files ${daisyLists.map((list) => `${list}.json`).join(', ')}.`,
      );
    }
  }

  read(list: DaisyList): Promise<AsyncIterable<Uint8Array> | undefined> {
    const file = this.fileOf(list);
    return Promise.resolve(existsSync(file) ? createReadStream(file) : undefined);
  }

  readPublishedPartners(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  private fileOf(list: DaisyList): string {
    return join(this.folder, `${list}.json`);
  }
}

/** Returns the URL of an option. */
export function urlOf(text: string): string {
  if (/^https?:/.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError('It must be an http:// or https:// URL.');
}

/** Returns the address of a path of a system. */
export function urlBelow(url: string, path: string): URL {
  return new URL(path, url.endsWith('/') ? url : `${url}/`);
}

/** Returns the reason for which a request failed. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
