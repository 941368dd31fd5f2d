import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const secret = 'a "secret" of 21 + signs';

describe('npm run search-logs', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'data-catalog-logs-'));
    await writeFile(join(folder, 'secrets.ndjson'), `"another secret"\n${JSON.stringify(secret)}\n`);
    await writeFile(join(folder, 'one.log'), '{"msg":"answered"}\n');
    await writeFile(join(folder, 'empty.log'), '');
  });

  afterEach(() => rm(folder, { recursive: true }));

  const search = (...least: string[]): { status: number | null; stdout: string } =>
    spawnSync(process.execPath, ['scripts/search-logs.ts', folder, ...least], { encoding: 'utf8' });

  it('should report the number of searched logs, and pass when they contain no secret', () => {
    expect(search()).toMatchObject({ status: 0, stdout: '1 logs (19 bytes), 2 secrets\n' });
  });

  it.each([
    ['as it is', secret],
    ['in JSON', JSON.stringify({ msg: `was ${secret}` })],
    ['in an address', `GET /?API_KEY=${encodeURIComponent(secret)}`],
    ['in a form', `password=${encodeURIComponent(secret).replaceAll('%20', '+')}&next=1`],
    ['next to bytes that are no text', `\0\u00ff${secret}`],
  ])('should name the file and the line of a secret %s, and not show it', async (_, line) => {
    await writeFile(join(folder, 'two.log'), `first\n${line}\n`);
    const { status, stdout } = search();
    expect(status).toBe(1);
    expect(stdout).toMatch(/^two\.log:2: a.{2}… \(\d+ characters\)$/m);
    expect(stdout).not.toContain('of 21');
  });

  it.each(['ada.byron@people.example.org', 'ada%40example.org'])(
    'should find the e-mail address %s whether it was recorded as a secret or not',
    async (it) => {
      await writeFile(join(folder, 'two.log'), `{"msg":"welcome ${it}"}\n`);
      expect(search()).toMatchObject({ status: 1, stdout: expect.stringMatching(/^two\.log:1: ada…/m) as string });
    },
  );

  it('should fail when fewer logs or secrets were kept than required', async () => {
    expect(search('1', '2').status).toBe(0);
    expect(search('2', '2')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('There must be 2 logs') as string,
    });
    expect(search('1', '3').status).toBe(1);
    await rm(join(folder, 'secrets.ndjson'));
    expect(search().status).toBe(1);
    await rm(join(folder, 'one.log'));
    expect(search('0', '0').status).toBe(1);
  });
});
