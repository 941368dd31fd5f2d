import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const top = join(import.meta.dirname, '..');
const skipped = ['node_modules', 'dist', 'coverage', '.git', '.data', '.cache'];

/** Every Markdown file of the repository, relative to its top. */
function documents(folder = ''): string[] {
  return readdirSync(join(top, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skipped.includes(entry.name) ? [] : documents(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** What GitHub makes of a heading as the target of a link. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

describe('the documents', () => {
  it.each(documents())('should have no broken link in %s', (document) => {
    const text = readFileSync(join(top, document), 'utf8').replace(/```.*?```/gs, '');
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => target);
    for (const target of targets.filter((each) => !/^[a-z]+:/.test(each))) {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? document : join(dirname(document), path);
      expect([target, existsSync(join(top, file))]).toEqual([target, true]);
      if (anchor === undefined) continue;
      const headings = [...readFileSync(join(top, file), 'utf8').matchAll(/^#+ (.*)$/gm)].map(
        ([, heading = '']) => heading,
      );
      expect(headings.map(anchorOf)).toContain(anchor);
    }
  });
});
