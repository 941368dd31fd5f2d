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

/** Secrets that must outlive a restart, because stored data depends on them. */
export interface KeptSecrets {
  /** The service key with which the provisioner calls the catalog, which registers it at its start. */
  readonly PROVISIONER_API_KEY: string;
  readonly KEY_HASH_SECRET: string;
  readonly SESSION_SECRET: string;
}

export const newSecret = (): string => randomBytes(32).toString('base64url');

/** A service key of the form that the catalog takes: the prefix and 48 letters and digits. */
const newServiceKey = (): string => `rdcs_${randomBytes(24).toString('hex')}`;

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

/** Returns the secrets in the file; those that it does not hold yet are made and added. */
export async function keptSecrets(file: string): Promise<KeptSecrets> {
  const kept = await readSecrets<Partial<KeptSecrets>>(file);
  const made = {
    KEY_HASH_SECRET: newSecret(),
    SESSION_SECRET: newSecret(),
    PROVISIONER_API_KEY: newServiceKey(),
    ...kept,
  };
  if (Object.keys(made).some((name) => !kept || !(name in kept))) await writeSecrets(file, made);
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
