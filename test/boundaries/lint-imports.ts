import { text } from 'node:stream/consumers';
import { ESLint } from 'eslint';

/** A line of code as it would stand in a file of the project. */
export interface Probe {
  readonly file: string;
  readonly code: string;
}

/**
 * A program: reads probes (JSON) from standard input, lints each with the project's own configuration as if it stood in
 * its file, and prints for each the messages of the rules who may import whom.
 */
const rules = ['boundaries/dependencies', '@typescript-eslint/no-restricted-imports'];
const probes = JSON.parse(await text(process.stdin)) as Probe[];
const eslint = new ESLint({
  ruleFilter: ({ ruleId }) => rules.includes(ruleId),
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
});
const found = await Promise.all(
  probes.map(async ({ file, code }) => {
    const results = await eslint.lintText(code, { filePath: file });
    return results.flatMap(({ messages }) => messages.map(({ message }) => message));
  }),
);
console.log(JSON.stringify(found));
