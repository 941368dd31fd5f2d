import { Command, type CommandUnknownOpts } from '@rdc/cli';
import { backupCommand, exportFullCommand, importFullCommand } from './backup/backup.commands.js';
import { importRecordsCommands } from './bulk/import-records.commands.js';
import { compareDaisyCommand } from './daisy/answers/compare-daisy.command.js';
import { importDaisyCommand } from './daisy/import-daisy.command.js';
import { migrateCommand } from '../platform/database/migrate.command.js';
import { version } from './version.js';
import { rebuildCommand } from './rebuild/rebuild.command.js';
import { endpointKeyCommand, userKeyCommand } from '../people/keys/key.commands.js';
import { releaseCommand, throttledCommand } from '../people/rate-limits/throttle.commands.js';
import { passwordCommand, type PasswordInput } from '../people/sessions/password.command.js';
import { serviceKeyCommand } from '../access/service-keys/service-key.command.js';
import { checkLinkedDataCommand } from '../records/linked-data/check-linked-data.command.js';
import { importTermsCommand } from '../records/terms/import-terms.command.js';
import { labelUseClassCommand, listUseClassesCommand } from '../records/use-classes/use-class.commands.js';
import type { OpenContext } from '../platform/command-line/command.js';

/**
 * Returns the program `cli.js` with all its commands, in the order of the help.
 *
 * @param input the stream from which `password` reads
 */
export function catalogProgram(open: OpenContext, input: PasswordInput = process.stdin): CommandUnknownOpts {
  const program = new Command('cli.js').description('Command line of the data catalog.');
  const add = (name: string, description: string, commands: readonly CommandUnknownOpts[]): void => {
    const group = program.command(name).description(description);
    for (const command of commands) group.addCommand(command);
  };
  program.addCommand(migrateCommand(open));
  add('import', 'import records, terms, a DAISY or a backup', [
    importFullCommand(open),
    importTermsCommand(open),
    ...importRecordsCommands(open),
    importDaisyCommand(open),
  ]);
  add('compare', 'compare the answers of two systems', [compareDaisyCommand(open)]);
  program.addCommand(exportFullCommand(open));
  program.addCommand(backupCommand(open, version));
  add('rebuild', 'rebuild stored documents', [rebuildCommand(open)]);
  add('check', 'check what the catalog publishes', [checkLinkedDataCommand(open)]);
  add('use-class', 'label consent codes', [listUseClassesCommand(open), labelUseClassCommand(open)]);
  add('key', 'issue keys', [userKeyCommand(open), endpointKeyCommand(open), serviceKeyCommand(open)]);
  return program
    .addCommand(passwordCommand(open, input))
    .addCommand(throttledCommand(open))
    .addCommand(releaseCommand(open));
}
