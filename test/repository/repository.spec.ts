import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const maxLines = 300;
const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && existsSync(file));
const ofType = (...types: string[]): string[] => tracked.filter((file) => types.some((type) => file.endsWith(type)));

describe('the repository', () => {
  it(`should hold no source file of more than ${String(maxLines)} lines`, () => {
    const tooLong = ofType('.ts', '.tsx', '.js', '.mjs', '.css', '.sh')
      .map((file) => [file, readFileSync(file, 'utf8').trimEnd().split('\n').length] as const)
      .filter(([, lines]) => lines > maxLines);
    expect(tooLong).toEqual([]);
  });

  it('should have a lock file without URLs of packages, so that every registry can be used', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { resolved?: string; link?: boolean }>;
    };
    const placed = Object.entries(packages).filter(([, entry]) => entry.resolved !== undefined && !entry.link);
    expect(placed).toEqual([]);
  });

  it('should link only to existing targets in its Markdown', () => {
    expect(ofType('.md').flatMap(brokenLinksOf)).toEqual([]);
  });

  it('should use exact versions of its dependencies', () => {
    const loose = ofType('package.json').flatMap((file) => {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as Record<
        string,
        Record<string, string>
      >;
      return Object.entries({ ...dependencies, ...devDependencies }).filter(([, version]) => !/^\d/.test(version));
    });
    expect(loose).toEqual([]);
  });
});

/** Returns the relative links of a page, and its links to headings, without a target, as `page: link`. */
function brokenLinksOf(page: string): string[] {
  const text = withoutCode(readFileSync(page, 'utf8'));
  const links = [...text.matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)].map(([, link]) => link ?? '');
  return links
    .filter((link) => !/^[a-z][a-z+.-]*:/i.test(link))
    .filter((link) => {
      const [path = '', heading] = decodeURIComponent(link).split('#');
      const target = path === '' ? page : join(dirname(page), path);
      return !existsSync(target) || (heading !== undefined && !headingsOf(target).includes(heading));
    })
    .map((link) => `${page}: ${link}`);
}

/** Returns the anchors of a page's headings, as forges create them. */
function headingsOf(page: string): string[] {
  if (!page.endsWith('.md')) return [];
  return [...withoutCode(readFileSync(page, 'utf8')).matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutCode(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ''));
}
