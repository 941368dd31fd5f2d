import { UsageError, wordsOf } from '@rdc/cli';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import type { Command, CommandContext } from '../../platform/command-line/command.js';
import type { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import { KeyIssuer } from './key-issuer.js';
import { keyHasherOf } from './keys.module.js';

/** `key user <email>`: prints a new personal key, once; the user's former key ends. */
export const userKeyCommand: Command = {
  usage: 'key user <email>',
  summary: 'make a new personal key and print it once; the former one ends',
  async run(args, context) {
    const [email] = wordsOf(args, 1);
    if (email === undefined) throw new UsageError('Whose key?');
    context.print(await issue(context, (issuer) => issuer.issueForUser(email)));
  },
};

/** `key endpoint <name> [overlap]`: prints a new endpoint key, once; former ones end after the overlap in seconds. */
export const endpointKeyCommand: Command = {
  usage: 'key endpoint <name> [overlap-seconds]',
  summary: 'make a new key of an endpoint and print it once; former ones end after the overlap',
  async run(args, context) {
    const [name, overlap = '0'] = wordsOf(args, 2);
    if (name === undefined) throw new UsageError('Which endpoint?');
    if (!/^\d{1,9}$/.test(overlap)) throw new UsageError('The overlap is a number of seconds.');
    context.print(await issue(context, (issuer) => issuer.issueForEndpoint(name, { overlapSeconds: Number(overlap) })));
  },
};

/** @throws UsageError without the secret: a catalog that has one would not know the key that is made */
export function requireKeyHashSecret({ hasKeyHashSecret }: Pick<CatalogSettings, 'hasKeyHashSecret'>): void {
  if (hasKeyHashSecret) return;
  throw new UsageError('Set KEY_HASH_SECRET to what the catalog runs with: without it, the key would not be known.');
}

function issue(
  { settings, withDataSource }: CommandContext,
  make: (issuer: KeyIssuer) => Promise<string>,
): Promise<string> {
  requireKeyHashSecret(settings);
  return withDataSource((dataSource) => make(new KeyIssuer(keyHasherOf(settings), dataSource, new AuditTrail())));
}
