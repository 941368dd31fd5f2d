import { isScope, scopes as knownScopes, type Scope } from '@rdc/auth';
import { argumentsOf, UsageError } from '@rdc/cli';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { commandActor } from '../../publishing/audit/command-actor.js';
import type { Command } from '../../platform/command-line/command.js';
import { SecretsSettings } from '../../platform/secrets/secrets.settings.js';
import { CatalogWriter } from '../../publishing/documents/catalog-writer.js';
import { storedLists } from '../../records/definitions/stored-lists.js';
import { DocumentsSettings } from '../../publishing/documents/documents.settings.js';
import { StoredDocuments } from '../../publishing/documents/stored-documents.js';
import { requireKeyHashSecret } from '../../people/keys/key.commands.js';
import { keyHasherOf } from '../../people/keys/keys.module.js';
import { ServiceKeyIssuer, type ServiceKeyInput } from './service-key-issuer.js';
import { ServiceKeysRepository } from './service-keys.repository.js';

const options = {
  scope: { type: 'string', multiple: true },
  submissions: { type: 'string', multiple: true },
  projects: { type: 'string', multiple: true },
  expires: { type: 'string' },
} as const;

/** `key service <name> --scope <scope> ...`: creates a service key and prints it once. */
export const serviceKeyCommand: Command = {
  usage: 'key service <name> --scope <scope> ... [--submissions <prefix>] [--projects <accession>] [--expires <date>]',
  summary: 'create a key for a program with the named scopes and print it once',
  async run(args, { settings, print, withCatalog }) {
    const input = inputOf(args);
    const secrets = settings.get(SecretsSettings);
    requireKeyHashSecret(secrets);
    const key = await withCatalog(async (dataSource) => {
      const issuer = new ServiceKeyIssuer(
        keyHasherOf(secrets),
        new ServiceKeysRepository(dataSource),
        new AuditTrail(),
      );
      const catalog = new CatalogWriter(
        dataSource,
        new StoredDocuments(settings.get(DocumentsSettings), dataSource, storedLists),
      );
      return catalog.write(async (transaction) => (await issuer.create(transaction, input, commandActor)).key);
    });
    print(key);
  },
};

function inputOf(args: readonly string[]): ServiceKeyInput {
  const { values, positionals } = argumentsOf(args, options);
  const [name, surplus] = positionals;
  if (name === undefined) throw new UsageError('The name of the program is missing.');
  if (surplus !== undefined) throw new UsageError(`Unexpected argument "${surplus}".`);
  return {
    name,
    scopes: scopesIn(values.scope ?? []),
    submissions: values.submissions ?? null,
    projects: values.projects ?? null,
    expires_at: values.expires === undefined ? null : endOf(values.expires),
  };
}

function scopesIn(words: readonly string[]): Scope[] {
  const unknown = words.find((word) => !isScope(word));
  if (words.length === 0 || unknown !== undefined) {
    const problem = unknown === undefined ? 'At least one --scope is required' : `Unknown scope "${unknown}"`;
    throw new UsageError(`${problem}; the scopes are ${knownScopes.join(', ')}.`);
  }
  return [...new Set(words.filter(isScope))];
}

function endOf(text: string): Date {
  const end = new Date(text);
  if (Number.isNaN(end.getTime()) || end.getTime() <= Date.now()) {
    throw new UsageError('--expires must be a future date, such as 2027-01-31 or 2027-01-31T12:00:00Z.');
  }
  return end;
}
