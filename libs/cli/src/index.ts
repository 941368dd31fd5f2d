export { argumentsOf, UsageError, wordsOf, type Command } from './command.js';
export { processOutput, runCommandLine, type Output } from './run.js';
export { ProgressBar } from './progress-bar.js';
