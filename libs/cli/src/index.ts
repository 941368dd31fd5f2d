export { Argument, Command, InvalidArgumentError, Option, type CommandUnknownOpts } from '@commander-js/extra-typings';
export { processOutput, runCommandLine, UsageError, type Output } from './run.js';
export { ProgressBar } from './progress-bar.js';
