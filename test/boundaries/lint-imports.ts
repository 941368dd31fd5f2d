import { text } from 'node:stream/consumers';
import { ESLint } from 'eslint';

/** Imports, one on each line, as they could stand in a file of the project. */
export interface Probe {
  readonly file: string;
  readonly lines: readonly string[];
}

/**
 * Reads probes (JSON) from standard input, lints each probe with the project's configuration under the name of the
 * probe's file, and prints for each probe the lines that the rules about imports report.
 */
const rules = ['boundaries/dependencies', '@typescript-eslint/no-restricted-imports'];
const probes = JSON.parse(await text(process.stdin)) as Probe[];
const eslint = new ESLint({
  ruleFilter: ({ ruleId }) => rules.includes(ruleId),
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
});
const reported = await Promise.all(
  probes.map(async ({ file, lines }) => {
    const [result] = await eslint.lintText(lines.join('\n'), { filePath: file });
    const numbers = new Set(result?.messages.map(({ line }) => line));
    return lines.filter((_, index) => numbers.has(index + 1));
  }),
);
console.log(JSON.stringify(reported));
