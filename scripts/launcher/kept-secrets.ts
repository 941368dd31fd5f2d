import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';

/** The content of `keys.json`: credentials for the sample. */
export interface SampleKeys {
  /** The global key, which reads and writes everything. */
  readonly global: string;
  /** The personal key of a custodian; absent until the sample is complete. */
  readonly user?: string;
  /** The key of a data catalog to which datasets are exposed; absent until the sample is complete. */
  readonly endpoint?: string;
  /** The login to the console; absent if `DATABASE_URL` or `ADMIN_EMAIL` is set. */
  readonly admin?: SampleAdministrator;
}

/** An administrator's login to the console. */
export interface SampleAdministrator {
  readonly email: string;
  readonly password: string;
}

/** Secrets that must survive a restart, because stored data depends on them. */
export interface KeptSecrets {
  /** The service key with which the provisioner calls the catalog. The catalog registers the key at its start. */
  readonly PROVISIONER_API_KEY: string;
  readonly KEY_HASH_SECRET: string;
  readonly SESSION_SECRET: string;
}

export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Returns a service key in the form that the catalog accepts: the prefix and 48 letters and digits. */
const newServiceKey = (): string => `rdcs_${randomBytes(24).toString('hex')}`;

/** Reads a JSON file of secrets. @returns undefined if the file does not exist */
export async function readSecrets<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces the file atomically. Only its owner may read it. */
export async function writeSecrets(file: string, secrets: object): Promise<void> {
  const partial = `${file}.partial`;
  await writeFile(partial, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  await rename(partial, file);
}

/** Returns the secrets in the file, and generates and adds those that are missing. */
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

/** Returns the global key that is set, else the key in the file, else a new key, and writes it to the file. */
export async function keptGlobalKey(file: string, set: string | undefined): Promise<string> {
  const kept = await readSecrets<SampleKeys>(file);
  const global = set?.trim() || kept?.global || newSecret();
  if (global !== kept?.global) await writeSecrets(file, { ...kept, global });
  return global;
}

/** Returns the administrator in the file, which the first call creates. */
export async function keptAdministrator(file: string): Promise<SampleAdministrator> {
  const kept = await readSecrets<SampleKeys>(file);
  if (kept?.admin) return kept.admin;
  const admin = { email: 'admin@example.org', password: randomBytes(12).toString('base64url') };
  await writeSecrets(file, { ...kept, admin });
  return admin;
}
