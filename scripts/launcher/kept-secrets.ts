import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';

/** The keys with which the sample can be tried: what `keys.json` holds. */
export interface SampleKeys {
  /** Reads and writes everything. */
  readonly global: string;
  /** The personal key of a custodian; absent until the sample is there. */
  readonly user?: string;
  /** The key of a data catalog to which datasets are exposed; absent until the sample is there. */
  readonly endpoint?: string;
  /** The login to the console; absent where the database is somebody's own. */
  readonly admin?: SampleAdministrator;
}

/** Somebody who may do everything, to try the console with. */
export interface SampleAdministrator {
  readonly email: string;
  readonly password: string;
}

/** Secrets that must outlive a restart, for they stand behind what is stored. */
export interface KeptSecrets {
  readonly KEY_HASH_SECRET: string;
  readonly SESSION_SECRET: string;
}

export const newSecret = (): string => randomBytes(32).toString('base64url');

/** What a JSON file of secrets holds, or undefined when there is none. */
export async function readSecrets<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces the file as a whole; only its owner may read it. */
export async function writeSecrets(file: string, secrets: object): Promise<void> {
  const partial = `${file}.partial`;
  await writeFile(partial, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  await rename(partial, file);
}

/** The secrets in the file, made at the first call. */
export async function keptSecrets(file: string): Promise<KeptSecrets> {
  const kept = await readSecrets<KeptSecrets>(file);
  if (kept) return kept;
  const made = { KEY_HASH_SECRET: newSecret(), SESSION_SECRET: newSecret() };
  await writeSecrets(file, made);
  return made;
}

/** The global key: the one that is set, else the one in the file, else a new one. The file then holds it. */
export async function keptGlobalKey(file: string, set: string | undefined): Promise<string> {
  const kept = await readSecrets<SampleKeys>(file);
  const global = set?.trim() || kept?.global || newSecret();
  if (global !== kept?.global) await writeSecrets(file, { ...kept, global });
  return global;
}

/** The administrator in the file, made at the first call. */
export async function keptAdministrator(file: string): Promise<SampleAdministrator> {
  const kept = await readSecrets<SampleKeys>(file);
  if (kept?.admin) return kept.admin;
  const admin = { email: 'admin@example.org', password: randomBytes(12).toString('base64url') };
  await writeSecrets(file, { ...kept, admin });
  return admin;
}
