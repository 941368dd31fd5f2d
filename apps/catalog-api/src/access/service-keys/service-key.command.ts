import { scopes } from '@rdc/auth';
import { Command, InvalidArgumentError, Option, type CommandUnknownOpts } from '@rdc/cli';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { commandActor } from '../../publishing/audit/command-actor.js';
import type { OpenContext } from '../../platform/command-line/command.js';
import { SecretsSettings } from '../../platform/secrets/secrets.settings.js';
import { CatalogWriter } from '../../publishing/documents/catalog-writer.js';
import { storedLists } from '../../records/definitions/stored-lists.js';
import { DocumentsSettings } from '../../publishing/documents/documents.settings.js';
import { StoredDocuments } from '../../publishing/documents/stored-documents.js';
import { requireKeyHashSecret } from '../../people/keys/key.commands.js';
import { requireServiceSecret } from '../../people/keys/key-secret.js';
import { keyHasherOf } from '../../people/keys/keys.module.js';
import { ServiceKeyIssuer } from './service-key-issuer.js';
import { ServiceKeysRepository } from './service-keys.repository.js';

/** `key service <name> --scope <scope> ...`: creates a service key and prints it once. */
export function serviceKeyCommand(open: OpenContext): CommandUnknownOpts {
  return new Command('service')
    .description('create a key for a program and print it once')
    .argument('<name>', 'name of the program')
    .addOption(new Option('--scope <scope...>', 'permissions of the key').choices(scopes).makeOptionMandatory())
    .option('--submissions <prefix...>', 'restrict the key to submissions whose references start with a prefix')
    .option('--projects <accession...>', 'restrict the key to projects')
    .option('--expires <date>', 'end of the key, e.g. 2027-01-31 or 2027-01-31T12:00:00Z', futureOf)
    .action(async (name, { scope, submissions = null, projects = null, expires = null }) => {
      const { settings, print, withCatalog } = open();
      const secrets = settings.get(SecretsSettings);
      requireKeyHashSecret(secrets);
      const input = { name, scopes: [...new Set(scope)], submissions, projects, expires_at: expires };
      const key = await withCatalog(async (dataSource) => {
        await requireServiceSecret(secrets, dataSource.manager);
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
    });
}

function futureOf(text: string): Date {
  const end = new Date(text);
  if (end.getTime() > Date.now()) return end;
  throw new InvalidArgumentError('It must be a future date.');
}
