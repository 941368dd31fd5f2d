import { Command, UsageError, type CommandUnknownOpts } from '@rdc/cli';
import type { Settings } from '@rdc/settings';
import { randomInt } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import type { DataSource } from 'typeorm';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import type { OpenContext } from '../../platform/command-line/command.js';
import { throttlesOf } from '../rate-limits/throttle.commands.js';
import { SecondFactorRepository } from '../second-factor/second-factor.repository.js';
import { SecondFactors } from '../second-factor/second-factors.js';
import { accountSecretsOf } from '../../platform/secrets/secrets.module.js';
import { SecretsSettings } from '../../platform/secrets/secrets.settings.js';
import { PasswordRules } from './password-rules.js';
import { maxPasswordLength } from './password-length.js';
import { hashPassword } from './password.js';
import { PasswordSetter } from './password-setter.js';
import { PasswordsRepository, type PasswordHolder } from './passwords.repository.js';

const commandLine = 'command line';

const generatedLength = 24;
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** The stream whose first line is the password. */
export type PasswordInput = Readable & { readonly isTTY?: boolean };

/** `password <email>`: sets the password of an account, ends the sessions of the account and releases it from limits. */
export function passwordCommand(open: OpenContext, input: PasswordInput): CommandUnknownOpts {
  return new Command('password')
    .description('set a password from standard input, or generate one and print it once; end all sessions')
    .argument('<email>', 'e-mail address of the account')
    .option('--generate', 'generate the password')
    .option('--remove-second-factor', 'remove the second factor of the account')
    .action(async (email, { generate = false, removeSecondFactor = false }) => {
      const { settings, print, withDataSource } = open();
      if (!generate && input.isTTY === true) {
        throw new UsageError('Pipe the new password into the command, or use --generate.');
      }
      const password = generate ? generatedPassword() : await firstLineOf(input);
      await withDataSource((dataSource) => setPassword(settings, dataSource, { email, password, removeSecondFactor }));
      print(generate ? password : 'The password is set. All sessions of the account have ended.');
    });
}

async function setPassword(
  settings: Settings,
  dataSource: DataSource,
  { email, password, removeSecondFactor }: { email: string; password: string; removeSecondFactor: boolean },
): Promise<void> {
  const audit = new AuditTrail();
  const passwords = new PasswordsRepository(dataSource);
  const setter = new PasswordSetter(passwords, throttlesOf(settings, dataSource), audit);
  const factors = new SecondFactors(
    dataSource,
    new SecondFactorRepository(dataSource),
    accountSecretsOf(settings.get(SecretsSettings)),
    audit,
  );
  const userId = await dataSource.transaction(async (manager) => {
    const holder = await passwords.lockByEmail(manager, email);
    refuse(holder, password);
    await setter.set(manager, holder.id, await hashPassword(password), { actor: commandLine, by: commandLine });
    if (removeSecondFactor) await factors.removeIn(manager, holder.id, commandLine);
    return holder.id;
  });
  await setter.release(userId, commandLine);
}

/** @throws UsageError if the account cannot sign in by password, or the password is not accepted */
function refuse(holder: PasswordHolder | null, password: string): asserts holder is PasswordHolder {
  if (!holder) throw new UsageError('No account has this e-mail address.');
  if (!holder.active)
    throw new UsageError('The account is deactivated: activate it first, for example with the global key.');
  if (holder.technical) throw new UsageError('A technical account cannot have a password.');
  const problem = new PasswordRules().problemOf(password, holder);
  if (problem !== null) throw new UsageError(`The password ${problem}.`);
  if (password.length > maxPasswordLength) throw new UsageError('The password is too long.');
}

async function firstLineOf(input: Readable): Promise<string> {
  const lines = createInterface({ input });
  for await (const line of lines) return line;
  return '';
}

function generatedPassword(): string {
  return Array.from({ length: generatedLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}
