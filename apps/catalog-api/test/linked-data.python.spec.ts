import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pythonPackage } from '../../../test/support/python-package.ts';
import type { RunningCatalog } from './catalog.js';
import { ownShapes } from '../src/records/linked-data/shapes.js';
import { centre, startSample } from './sample/start-sample.js';

const run = promisify(execFile);
const here = (file: string): string => join(import.meta.dirname, file);

/** The parser of CKAN and its dependencies, without CKAN. */
const parser = [
  'ckanext-dcat==2.4.4',
  'python-dateutil==2.9.0.post0',
  'geomet==1.1.0',
  'simplejson==3.20.1',
  'six==1.17.0',
];

const mediaTypes = { jsonld: 'application/ld+json', ttl: 'text/turtle', rdf: 'application/rdf+xml' } as const;

interface Judgement {
  readonly statements: number;
  readonly same: readonly boolean[];
  readonly conforms: boolean;
  readonly report: string;
}

interface Harvested {
  readonly title: string;
  readonly resources: readonly { readonly access_url: string }[];
  readonly extras: readonly { readonly key: string; readonly value: string }[];
  readonly health_category?: readonly string[];
  readonly hdab?: readonly { readonly name: string }[];
}

describe('linked data that programs of Python read', () => {
  let catalog: RunningCatalog;
  let python: string;
  let folder: string;

  beforeAll(async () => {
    python = join(await pythonPackage('pyshacl', '0.40.1', parser), 'python');
    folder = await mkdtemp(join(tmpdir(), 'linked-data-'));
    catalog = await startSample(centre);
  }, 300_000);

  afterAll(async () => {
    await catalog.stop();
    await rm(folder, { recursive: true });
  });

  async function save(path: string, ending: keyof typeof mediaTypes): Promise<string> {
    const answer = await catalog.fetch(path, { headers: { Accept: mediaTypes[ending] } });
    expect([path, answer.status]).toEqual([path, 200]);
    const file = join(folder, `document.${ending}`);
    await writeFile(file, await answer.text());
    return file;
  }

  async function output<Value>(program: string, ...parameters: string[]): Promise<Value> {
    const { stdout } = await run(python, [here(program), ...parameters], { maxBuffer: 2 ** 26 });
    return JSON.parse(stdout) as Value;
  }

  it.each([
    ['/api/dcat', 'DCAT-AP'],
    ['/api/dcat', 'HealthDCAT-AP'],
    ['/api/dcat/datasets/RDC_22', 'HealthDCAT-AP'],
  ] as const)('should be the same in every format, and valid: %s by %s', async (path, shapes) => {
    const files = [await save(path, 'jsonld'), await save(path, 'ttl'), await save(path, 'rdf')];
    const judged = await output<Judgement>('support/judge-linked-data.py', ownShapes[shapes], ...files);
    expect(judged).toMatchObject({ same: [true, true], report: '', conforms: true });
    expect(judged.statements).toBeGreaterThan(50);
  });

  it.each([
    ['jsonld', 'json-ld'],
    ['ttl', 'turtle'],
    ['rdf', 'xml'],
  ] as const)('should be harvested completely by the parser of CKAN: %s', async (ending, format) => {
    const harvested = await output<Harvested[]>(
      'support/harvest-with-ckan.py',
      await save('/api/dcat', ending),
      format,
    );
    const { 'dcat:dataset': published } = (await (await catalog.fetch('/api/dcat')).json()) as {
      'dcat:dataset': { 'dct:title': string }[];
    };
    expect(harvested.map(({ title }) => title).sort()).toEqual(published.map((each) => each['dct:title']).sort());
    const [clinical] = harvested.filter(({ title }) => title === 'PARKCOG clinical assessments');
    expect(clinical?.resources.map(({ access_url }) => access_url)).toEqual([
      'https://portal.example.org/dataset/RDC_11',
    ]);
    expect(clinical?.extras).toEqual(
      expect.arrayContaining([
        { key: 'identifier', value: 'RDC_11' },
        { key: 'contact_email', value: centre.DATA_CONTACT_EMAIL },
        { key: 'access_rights', value: 'http://publications.europa.eu/resource/authority/access-right/RESTRICTED' },
      ]),
    );
    expect(clinical?.health_category?.map((each) => each.replace(/.*\//, ''))).toEqual(['RQSH']);
    expect(clinical?.hdab?.map(({ name }) => name)).toEqual([centre.ACCESS_BODY]);
  });
});
