import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { runCatalog } from '../../../test/support/command-line.js';

const shape = (path: string): string => `
  @prefix sh: <http://www.w3.org/ns/shacl#> .
  [] a sh:NodeShape ; sh:targetClass <http://www.w3.org/ns/dcat#Dataset> ;
    sh:property [ sh:path <${path}> ; sh:minCount 1 ; sh:message "Two\\nlines" ],
      [ sh:path <https://other.example.org/recommended> ; sh:minCount 1 ; sh:severity sh:Warning ] .`;

describe('check linked-data', () => {
  let catalog: RunningCatalog;
  let folder: string;

  beforeAll(async () => {
    catalog = await startCatalog();
    folder = await mkdtemp(join(tmpdir(), 'shapes-'));
    await mkdir(join(folder, 'valid', 'deep'), { recursive: true });
    await writeFile(join(folder, 'valid', 'deep', 'title.ttl'), shape('http://purl.org/dc/terms/title'));
    await writeFile(join(folder, 'valid', 'notes.txt'), 'not Turtle');
    await writeFile(join(folder, 'invalid.ttl'), shape('https://other.example.org/required'));
    await writeFile(join(folder, 'broken.ttl'), '@prefix sh: <');
    await writeFile(join(folder, 'empty.ttl'), '');
    // More datasets than one statement reads.
    await catalog.dataSource.query(
      `INSERT INTO endpoints (name, url_pattern, public) VALUES ('Portal', 'https://portal.example.org/{entity_id}', true)`,
    );
    await catalog.dataSource.query(
      `INSERT INTO datasets (uuid, external_id, name)
        SELECT gen_random_uuid(), 'D_' || number, 'Dataset ' || number FROM generate_series(1, 401) AS number`,
    );
    await catalog.dataSource.query(
      `INSERT INTO exposures (dataset_id, endpoint_id, form_id) SELECT dataset.id, endpoint.id, 8 FROM datasets AS dataset, endpoints AS endpoint`,
    );
    await runCatalog(catalog.environment, ['rebuild', 'documents']);
  });

  afterAll(async () => {
    await catalog.stop();
    await rm(folder, { recursive: true });
  });

  const check = async (...words: string[]): Promise<string[]> => {
    const run = runCatalog(catalog.environment, ['check', 'linked-data', ...words]);
    return run.catch((error: unknown) => (error as Error).message.split('\n'));
  };

  it('should validate every dataset with the shapes of all files in a folder', async () => {
    expect(await check('--shapes', join(folder, 'valid'))).toEqual(['401 of 401 datasets are valid.']);
  });

  it('should print one line a violation and fail when a shape is violated, and ignore warnings', async () => {
    const lines = await check('--shapes', join(folder, 'valid'), join(folder, 'invalid.ttl'), '--endpoint', 'Portal');
    expect(lines.slice(0, 2)).toEqual(
      ['D_1', 'D_2'].map((name) => `${name}\thttps://other.example.org/required\tTwo lines\t-`),
    );
    expect(lines.slice(-3)).toEqual([
      '0 of 401 datasets are valid.',
      expect.stringContaining('invalid'),
      'exit code 1',
    ]);
    expect(lines).toHaveLength(404);
  });

  it.each([
    [['--shapes', 'absent.ttl'], /--shapes: absent\.ttl must be a readable file in Turtle or N-Triples: ENOENT/],
    [
      ['--shapes', 'broken.ttl'],
      /--shapes: .*broken\.ttl must be a readable file in Turtle or N-Triples: .* on line 1/,
    ],
    [['--shapes', 'empty.ttl'], /--shapes: .*empty\.ttl must contain at least one shape with a target/],
    [['--endpoint', 'Absent'], /--endpoint: no endpoint has the name "Absent"/],
    [['--endpoint', 'Portal', '--all'], /option '--all' cannot be used with option '--endpoint <name>'/],
    [['--access', 'open'], /Allowed choices are PUBLIC, RESTRICTED, NON_PUBLIC/],
  ])('should refuse %j', async (words, message) => {
    const lines = await check(...words.map((word) => (/^(broken|empty)/.test(word) ? join(folder, word) : word)));
    expect(lines.join('\n')).toMatch(message);
    expect(lines.at(-1)).toBe('exit code 2');
  });
});
