import { exportFullCommand, importFullCommand } from '../backup/backup.commands.js';
import { importRecordsCommands } from '../bulk/import-records.commands.js';
import { importDaisyCommand } from '../daisy/import-daisy.command.js';
import { migrateCommand } from '../database/migrate.command.js';
import { rebuildCommand } from '../documents/rebuild.command.js';
import { endpointKeyCommand, userKeyCommand } from '../keys/key.commands.js';
import { releaseCommand, throttledCommand } from '../rate-limits/throttle.commands.js';
import { passwordCommand } from '../sessions/password.command.js';
import { serviceKeyCommand } from '../service-keys/service-key.command.js';
import { importTermsCommand } from '../terms/import-terms.command.js';
import type { Command } from './command.js';

/** Every command, in the order of the help. */
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
