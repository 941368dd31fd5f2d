import { runProgram, runSystem } from './launcher/run-system.ts';

await runProgram(() => runSystem());
