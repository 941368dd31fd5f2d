export { argumentsOf, UsageError, type Command } from './command.js';
export { processOutput, runCommandLine, type Output, type Program } from './run.js';
export { ProgressBar, type ProgressTarget } from './progress-bar.js';
