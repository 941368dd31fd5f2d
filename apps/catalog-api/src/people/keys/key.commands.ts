import { Command, InvalidArgumentError, UsageError, type CommandUnknownOpts } from '@rdc/cli';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import type { CommandContext, OpenContext } from '../../platform/command-line/command.js';
import { SecretsSettings } from '../../platform/secrets/secrets.settings.js';
import { KeyIssuer } from './key-issuer.js';
import { requireServiceSecret } from './key-secret.js';
import { keyHasherOf } from './keys.module.js';

/** `key user <email>`: issues a personal key and prints it once. The previous key ends. */
export function userKeyCommand(open: OpenContext): CommandUnknownOpts {
  return new Command('user')
    .description('issue a personal key and print it once; the previous key ends')
    .argument('<email>', 'e-mail address of the user')
    .action((email) => issue(open(), (issuer) => issuer.issueForUser(email)));
}

/** `key endpoint <name> [overlap]`: issues a key and prints it once. Previous keys end after the overlap in seconds. */
export function endpointKeyCommand(open: OpenContext): CommandUnknownOpts {
  return new Command('endpoint')
    .description('issue a key to an endpoint and print it once; previous keys end after the overlap')
    .argument('<name>', 'name of the endpoint')
    .argument('[overlap-seconds]', 'seconds for which previous keys remain valid', secondsOf, 0)
    .action((name, overlapSeconds) => issue(open(), (issuer) => issuer.issueForEndpoint(name, { overlapSeconds })));
}

function secondsOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number of seconds.');
}

/** @throws UsageError if the secret is not set, because a catalog with a secret would reject the key */
export function requireKeyHashSecret({ hasKeyHashSecret }: Pick<SecretsSettings, 'hasKeyHashSecret'>): void {
  if (hasKeyHashSecret) return;
  throw new UsageError(
    'KEY_HASH_SECRET is not set: use the value of the running catalog. The catalog rejects keys with another secret.',
  );
}

async function issue(
  { settings, print, withDataSource }: CommandContext,
  work: (issuer: KeyIssuer) => Promise<string>,
): Promise<void> {
  const secrets = settings.get(SecretsSettings);
  requireKeyHashSecret(secrets);
  const key = await withDataSource(async (dataSource) => {
    await requireServiceSecret(secrets, dataSource.manager);
    return work(new KeyIssuer(keyHasherOf(secrets), dataSource, new AuditTrail()));
  });
  print(key);
}
