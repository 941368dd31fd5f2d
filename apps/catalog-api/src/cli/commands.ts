import { migrateCommand } from '../database/migrate.command.js';
import { importTermsCommand } from '../terms/import-terms.command.js';
import type { Command } from './command.js';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [migrateCommand, importTermsCommand];
