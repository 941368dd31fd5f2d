import { TextlintKernel, type TextlintRuleModule, type TextlintRuleReporter } from '@textlint/kernel';
import type { AnyTxtNode } from '@textlint/ast-node-types';
import markdown from '@textlint/textlint-plugin-markdown';
import { extract, type ProseLine } from './extract.ts';
import { type Openings, type Rule, type WordList } from './word-list.ts';

export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const kernel = new TextlintKernel();

/** Returns the violations of a file, in the order of its lines. Inline code, blocks of code and links are not prose. */
export async function lintProse(file: string, source: string, list: WordList): Promise<Violation[]> {
  if (source.includes('prose-ignore-file')) return [];
  const { comments, texts } = extract(file, source);
  const found = [
    ...(await lintLines(file, comments, [wordsRule(list.words), openingsRule(list.openings)])),
    ...(await lintLines(file, texts, [wordsRule(list.words)])),
  ];
  const lines = source.split('\n');
  const ignores = (line: number) => lines[line - 1]?.includes('prose-ignore') === true;
  return found
    .filter(({ line }) => !ignores(line) && !ignores(line - 1))
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

async function lintLines(file: string, lines: readonly ProseLine[], rules: readonly ProseRule[]): Promise<Violation[]> {
  const text = lines.map((line) => line.text).join('\n');
  if (!rules.some((rule) => rule.mayMatch(text))) return [];
  const { messages } = await kernel.lintText(text, {
    ext: '.md',
    plugins: [{ pluginId: 'markdown', plugin: markdown.default }],
    rules: rules.map(({ rule }, index) => ({ ruleId: String(index), rule })),
  });
  return messages.map(({ message, loc: { start } }) => {
    const { line, column } = lines[start.line - 1] ?? { line: start.line, column: 1 };
    return { file, line, column: column + start.column - 1, message };
  });
}

/** A rule of textlint. Most files match no rule, so `mayMatch` saves parsing their Markdown. */
interface ProseRule {
  readonly rule: TextlintRuleModule;
  mayMatch(text: string): boolean;
}

/** Returns a rule that reports words in running text. */
function wordsRule(words: readonly Rule[]): ProseRule {
  return {
    mayMatch: (text) => words.some(({ pattern }) => text.search(pattern) >= 0),
    rule: (context) => ({
      [context.Syntax.Str](node: AnyTxtNode) {
        for (const word of words) report(context, node, word);
      },
    }),
  };
}

/** Returns a rule that reports first words of sentences. Headings are not sentences. */
function openingsRule(openings: Openings): ProseRule {
  return {
    mayMatch: (text) => text.search(openings.anywhere) >= 0,
    rule: (context) => {
      const check = (node: AnyTxtNode) => {
        report(context, node, openings);
      };
      return { [context.Syntax.Paragraph]: check, [context.Syntax.TableCell]: check };
    },
  };
}

function report(context: Parameters<TextlintRuleReporter>[0], node: AnyTxtNode, { pattern, use }: Rule): void {
  for (const { 0: words, index } of context.getSource(node).matchAll(pattern)) {
    const padding = context.locator.range([index, index + words.length]);
    context.report(node, new context.RuleError(`"${words.replace(/\s+/g, ' ')}" → ${use}`, { padding }));
  }
}
