import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aRequest, anEnding } from '../../test/support/requests.js';
import type { ImportRequest } from '../model/import-record.js';
import { PosixRecords } from '../storage/posix/posix-records.js';
import { removeTree } from '../storage/posix/remove-tree.js';
import { StoredRequestLog } from './stored-request-log.js';
import { parseRequest, toStored } from './stored-request.js';

const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const request = aRequest(id, 'DS-1');

describe(toStored.name, () => {
  it('should replace the subject by its id and keep the order of the members', () => {
    expect(Object.entries(toStored(request))).toEqual(Object.entries({ ...request, subject: 'DS-1' }));
  });
});

describe(parseRequest.name, () => {
  it.each([
    ['dataset', 'dataset'],
    ['submission', 'submission'],
    ['verify', 'dataset'],
    ['withdraw', 'dataset'],
    ['purge', 'dataset'],
  ] as const)('should restore the subject of a request of kind %s as a %s', (kind, subjectKind) => {
    const stored: ImportRequest = { ...request, kind, subject: { kind: subjectKind, id: 'X-1' } };
    expect(parseRequest(JSON.stringify(toStored(stored)))).toEqual(stored);
  });
});

describe(StoredRequestLog.name, () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'stored-'));
  });

  afterEach(() => removeTree(root));

  async function read(path: string): Promise<Record<string, unknown>> {
    const text = await readFile(join(root, 'data/.requests', path), 'utf8');
    return JSON.parse(text) as Record<string, unknown>;
  }

  it('should store the id of the subject in open requests and in endings', async () => {
    const log = new StoredRequestLog(new PosixRecords(root));
    await log.open(request);
    expect(await read('open/dataset/ds-1.json')).toEqual({ ...request, subject: 'DS-1' });
    expect(await read(`requests/${id}.json`)).toEqual({ ...request, subject: 'DS-1' });
    const ending = anEnding(request, 'failed');
    await log.end(ending);
    expect(await read(`done/2016/07/30/${id}.json`)).toEqual({ ...ending, subject: 'DS-1' });
    expect(await read('last/dataset/DS-1.json')).toMatchObject({ kind: 'dataset', subject: 'DS-1' });
  });
});
