import { commands } from './cli/commands.js';
import { runCommandLine } from './cli/run.js';

process.exitCode = await runCommandLine(process.argv.slice(2), commands);
