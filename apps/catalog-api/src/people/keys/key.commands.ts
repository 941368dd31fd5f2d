import { UsageError, wordsOf } from '@rdc/cli';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import type { Command, CommandContext } from '../../platform/command-line/command.js';
import { SecretsSettings } from '../../platform/secrets/secrets.settings.js';
import { KeyIssuer } from './key-issuer.js';
import { keyHasherOf } from './keys.module.js';

/** `key user <email>`: issues a personal key and prints it once. The previous key ends. */
export const userKeyCommand: Command = {
  usage: 'key user <email>',
  summary: 'issue a personal key and print it once; the previous key ends',
  async run(args, context) {
    const [email] = wordsOf(args, 1);
    if (email === undefined) throw new UsageError('The e-mail address of the user is missing.');
    context.print(await issue(context, (issuer) => issuer.issueForUser(email)));
  },
};

/** `key endpoint <name> [overlap]`: issues a key and prints it once. Previous keys end after the overlap in seconds. */
export const endpointKeyCommand: Command = {
  usage: 'key endpoint <name> [overlap-seconds]',
  summary: 'issue a key to an endpoint and print it once; previous keys end after the overlap',
  async run(args, context) {
    const [name, overlap = '0'] = wordsOf(args, 2);
    if (name === undefined) throw new UsageError('The name of the endpoint is missing.');
    if (!/^\d{1,9}$/.test(overlap)) throw new UsageError('The overlap must be a number of seconds.');
    context.print(await issue(context, (issuer) => issuer.issueForEndpoint(name, { overlapSeconds: Number(overlap) })));
  },
};

/** @throws UsageError if the secret is not set, because a catalog with a secret would reject the key */
export function requireKeyHashSecret({ hasKeyHashSecret }: Pick<SecretsSettings, 'hasKeyHashSecret'>): void {
  if (hasKeyHashSecret) return;
  throw new UsageError(
    'KEY_HASH_SECRET is not set: use the value of the running catalog. The catalog rejects keys with another secret.',
  );
}

function issue(
  { settings, withDataSource }: CommandContext,
  work: (issuer: KeyIssuer) => Promise<string>,
): Promise<string> {
  const secrets = settings.get(SecretsSettings);
  requireKeyHashSecret(secrets);
  return withDataSource((dataSource) => work(new KeyIssuer(keyHasherOf(secrets), dataSource, new AuditTrail())));
}
