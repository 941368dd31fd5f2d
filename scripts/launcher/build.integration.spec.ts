import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWhatIsNotBuilt } from './build.ts';

describe(buildWhatIsNotBuilt.name, () => {
  let checkout: string;
  let said: string[];

  /** A checkout of one workspace whose compiler copies its one source file. */
  beforeEach(async () => {
    checkout = `${await mkdtemp(join(tmpdir(), 'data-catalog-build-'))}/`;
    said = [];
    const workspace = join(checkout, 'libs/words');
    await mkdir(join(workspace, 'src'), { recursive: true });
    await mkdir(join(checkout, 'node_modules'));
    await writeFile(join(checkout, 'package.json'), JSON.stringify({ workspaces: ['libs/words'] }));
    const scripts = { build: 'mkdir -p dist && cp src/word.ts dist/word.js' };
    await writeFile(join(workspace, 'package.json'), JSON.stringify({ name: 'words', version: '1.0.0', scripts }));
    await writeSource('first');
  });

  afterEach(() => rm(checkout, { recursive: true, force: true }));

  const writeSource = (text: string): Promise<void> => writeFile(join(checkout, 'libs/words/src/word.ts'), text);
  const built = (): Promise<string> => readFile(join(checkout, 'libs/words/dist/word.js'), 'utf8');
  const build = (): Promise<void> =>
    buildWhatIsNotBuilt({ root: checkout, say: (line) => said.push(line), signal: new AbortController().signal });

  it('should not build a workspace again when its sources are unchanged', async () => {
    await build();
    await build();
    expect(said).toEqual(['Building libs/words ...']);
    expect(await built()).toBe('first');
  });

  it('should build a workspace again when a source file has changed', async () => {
    await build();
    await writeSource('second');
    await build();
    expect(await built()).toBe('second');
  });

  it("should report the compiler's output when a build fails, and build again at the next start", async () => {
    await rm(join(checkout, 'libs/words/src/word.ts'));
    await expect(build()).rejects.toThrow(/The build of libs\/words failed:[^]*word\.ts/);
    await writeSource('fixed');
    await build();
    expect(await built()).toBe('fixed');
  });
});
