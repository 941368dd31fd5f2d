import { UsageError } from '@rdc/cli';
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';

/** What a DAISY has, by the name under which both its API and a folder of its files know it. */
export const daisyLists = ['partners', 'cohorts', 'projects', 'datasets', 'contracts'] as const;

/** One of them. */
export type DaisyList = (typeof daisyLists)[number];

/** Where records of a DAISY are read. */
export interface DaisySource {
  /** The bytes of one list, as the API of DAISY answers it; undefined when there is none. */
  read(list: DaisyList): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** The partners that it shows to everybody; undefined when the source does not tell. */
  readPublishedPartners(): Promise<AsyncIterable<Uint8Array> | undefined>;
}

/** DAISY needs seconds for what takes us milliseconds, so we wait long. */
const timeoutMs = 600_000;

/** Reads a running DAISY over its API. */
export class DaisyApi implements DaisySource {
  /**
   * @param url the origin of the DAISY, and the path before `/api` if there is one
   * @param key its global key, for what others do not see
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
    const address = new URL(path, this.url.endsWith('/') ? this.url : `${this.url}/`);
    const headers = { 'X-API-Key': this.key, Accept: 'application/json' };
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(address, { headers, signal, redirect: 'error' }).catch((cause: unknown) => {
      throw new UsageError(`${address.href} does not answer: ${reasonOf(cause)}`);
    });
    if (!response.ok || !response.body) {
      throw new UsageError(
        `${address.href} answered ${String(response.status)}; is it its global key that --key-file names?`,
      );
    }
    return response.body;
  }
}

/** Reads a folder with files such as `projects.json`, as the API of DAISY answers or its commands export them. */
export class DaisyFolder implements DaisySource {
  constructor(private readonly folder: string) {
    if (!daisyLists.some((list) => existsSync(this.fileOf(list)))) {
      throw new UsageError(`${folder} has none of ${daisyLists.map((list) => `${list}.json`).join(', ')}.`);
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

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
