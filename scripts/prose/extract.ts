import ts from 'typescript';

/** A line of prose and its place in the file; both numbers count from 1. */
export interface ProseLine {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** Prose of a file. Sentences of comments are checked from their first word, texts of the code only for words. */
export interface Prose {
  readonly comments: readonly ProseLine[];
  readonly texts: readonly ProseLine[];
}

const code = /\.[cm]?[jt]sx?$/;
const hashed = /\.(ya?ml|sh|py|template)$|(^|\/)Dockerfile$|^\.(ci|githooks)\//;

/** Whether `extract` finds prose in files of this name. */
export function hasProse(file: string): boolean {
  return code.test(file) || hashed.test(file) || /\.(md|sql)$/.test(file);
}

/** Returns the prose of a file. An empty line separates two comments and two texts. */
export function extract(file: string, source: string): Prose {
  if (file.endsWith('.md')) return { comments: linesOf(source, 0, source), texts: [] };
  if (code.test(file)) return fromCode(file, source);
  const comment = file.endsWith('.sql') ? /--[^\n]*|\/\*[\s\S]*?\*\//g : /(?<=^|\s)#(?!!)[^\n]*/gm;
  return { comments: commentsOf(source, comment), texts: [] };
}

/** Comments are searched in the source without its strings, which may contain the signs of a comment. */
function fromCode(file: string, source: string): Prose {
  const syntax = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, false, scriptKindOf(file));
  const texts: ProseLine[] = [];
  let blanked = source;
  const visit = (node: ts.Node): void => {
    if (isText(node)) {
      const [start, end] = [ts.isJsxText(node) ? node.pos : node.getStart(syntax), node.end];
      const raw = source.slice(start, end);
      blanked = `${blanked.slice(0, start)}${raw.replace(/[^\n]/g, ' ')}${blanked.slice(end)}`;
      if (!ts.isRegularExpressionLiteral(node) && /\w\s+\w+\s+\w/.test(raw)) texts.push(...linesOf(raw, start, source));
    }
    ts.forEachChild(node, visit);
  };
  visit(syntax);
  return { comments: commentsOf(blanked, /\/\/[^\n]*|\/\*[\s\S]*?\*\//g), texts };
}

function scriptKindOf(file: string): ts.ScriptKind {
  if (file.endsWith('x')) return ts.ScriptKind.TSX;
  return file.endsWith('ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS;
}

function isText(node: ts.Node): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node) ||
    ts.isJsxText(node) ||
    ts.isRegularExpressionLiteral(node)
  );
}

function commentsOf(source: string, pattern: RegExp): ProseLine[] {
  const lines: ProseLine[] = [];
  for (const { 0: text, index } of source.matchAll(pattern)) {
    const [first, ...rest] = linesOf(text, index, source);
    const last = lines.at(-2);
    const continues = first !== undefined && last?.line === first.line - 1 && !text.startsWith('/*');
    if (continues) lines.pop();
    lines.push(...(first === undefined ? [] : [first, ...rest]));
  }
  return lines.map(withoutSigns);
}

/** Removes the signs of a comment. The column moves with the first character. */
function withoutSigns({ text, line, column }: ProseLine): ProseLine {
  const [signs = ''] = /^\s*(?:\/\*+|\/{2,}|\*+\/|\*+(?!\/)|--+|#+)? ?/.exec(text) ?? [];
  return { text: text.slice(signs.length).replace(/\s*\*+\/$/, ''), line, column: column + signs.length };
}

/** Returns the lines of a part of the source, and an empty line. */
function linesOf(part: string, start: number, source: string): ProseLine[] {
  const before = source.slice(0, start).split('\n');
  const lines = part.split('\n').map((text, index) => ({
    ...{ text, line: before.length + index },
    column: index === 0 ? (before.at(-1) ?? '').length + 1 : 1,
  }));
  return [...lines, { text: '', line: before.length + lines.length - 1, column: 1 }];
}
