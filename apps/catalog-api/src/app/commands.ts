import { exportFullCommand, importFullCommand } from './backup/backup.commands.js';
import { importRecordsCommands } from './bulk/import-records.commands.js';
import { importDaisyCommand } from './daisy/import-daisy.command.js';
import { migrateCommand } from '../platform/database/migrate.command.js';
import { rebuildCommand } from './rebuild/rebuild.command.js';
import { endpointKeyCommand, userKeyCommand } from '../people/keys/key.commands.js';
import { releaseCommand, throttledCommand } from '../people/rate-limits/throttle.commands.js';
import { passwordCommand } from '../people/sessions/password.command.js';
import { serviceKeyCommand } from '../access/service-keys/service-key.command.js';
import { importTermsCommand } from '../records/terms/import-terms.command.js';
import type { Command } from '../platform/command-line/command.js';

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  migrateCommand,
  importFullCommand,
  importTermsCommand,
  ...importRecordsCommands,
  importDaisyCommand,
  exportFullCommand,
  rebuildCommand,
  userKeyCommand,
  endpointKeyCommand,
  passwordCommand(process.stdin),
  throttledCommand,
  releaseCommand,
  serviceKeyCommand,
];
