import { lintProse } from './lint.ts';
import { readWordList } from './word-list.ts';

const list = readWordList('prose.yml');

/** Lints a source and returns each violation as `line:column words`. */
async function violationsOf(file: string, source: string): Promise<string[]> {
  const found = await lintProse(file, source, list);
  return found.map(
    ({ line, column, message }) => `${String(line)}:${String(column)} ${/"([^"]*)"/.exec(message)?.[1] ?? ''}`,
  );
}

// prose-ignore-file: the sources below contain the words that the linter reports
describe(lintProse.name, () => {
  it.each([
    ['a.ts', 'const a = 1; // begins anew\n', '1:24 anew'],
    ['a.ts', '/**\n * Starts.\n *  Lately\n */\n', '3:5 Lately'],
    ['a.tsx', 'const a = <p>Nobody is here now</p>;\n', '1:14 Nobody'],
    ['a.ts', "it('should begin the import anew', run);\n", '1:29 anew'],
    ['a.sql', 'SELECT 1; -- the former name\n', '1:18 former'],
    ['a.yaml', 'a: 1\n  # meanwhile\n', '2:5 meanwhile'],
    ['Dockerfile', '# read beside it\n', '1:8 beside'],
    ['a.md', '# A page\n\n| a |\n| - |\n| anew |\n', '5:3 anew'],
  ])('should report a word in %s', async (file, source, expected) => {
    expect(await violationsOf(file, source)).toEqual([expected]);
  });

  it('should report a word that two lines of a comment share', async () => {
    expect(await violationsOf('a.ts', '// The import goes\n// on after a restart.\n')).toEqual(['1:15 goes on']);
  });

  it.each([
    ['a.ts', '/** What a queue holds. */\n', '1:5 What'],
    ['a.ts', '/** Reads. Whoever reads waits. */\n', '1:12 Whoever'],
    ['a.ts', '/** @returns what it holds */\n', '1:14 what'],
    ['a.md', 'A page. Where it ends, it ends.\n', '1:9 Where'],
  ])('should report the headless opening of a sentence in %s', async (file, source, expected) => {
    expect(await violationsOf(file, source)).toEqual([expected]);
  });

  it.each([
    ['a.md', '# What is new\n\nWhat does it hold? `anew` [x](lately.md)\n\n```\nanew\n```\n'],
    ['a.ts', "const anew = 'anew'; const url = 'https://former.example.org/nobody-is-here'; // `anew`\n"],
    ['a.md', 'The service listens behind a reverse proxy.\n'],
  ])('should accept questions, headings, links, code and names in %s', async (file, source) => {
    expect(await violationsOf(file, source)).toEqual([]);
  });

  it('should accept a line after prose-ignore', async () => {
    expect(await violationsOf('a.ts', '// prose-ignore\n// anew\n\n// anew\n')).toEqual(['4:4 anew']);
  });
});
