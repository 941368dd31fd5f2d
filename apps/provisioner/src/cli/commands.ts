import { cancelCommand } from './cancel.command.js';
import type { Command } from './command.js';
import { importCommand } from './import.command.js';
import { diffCommand, listCommand } from './list.commands.js';
import { planCommand } from './plan.command.js';
import { statusCommand } from './status.command.js';
import { verifyCommand } from './verify.command.js';
import { withdrawCommand } from './withdraw.command.js';

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  listCommand,
  diffCommand,
  planCommand,
  importCommand,
  verifyCommand,
  statusCommand,
  cancelCommand,
  withdrawCommand,
];
