import { existsSync, readFileSync } from 'node:fs';

const page = 'docs/security-asvs.md';

/** Requirements of levels 1 and 2 by chapter, V1 to V17, in OWASP ASVS 5.0. */
const requirements = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];
const states = ['holds', 'partly', 'no', 'n/a'];

interface Row {
  readonly number: string;
  readonly state: string;
  readonly text: string;
}

const lines = readFileSync(page, 'utf8').split('\n');
const rows: readonly Row[] = lines.flatMap((line) => {
  const [, number = '', , , state = '', ...text] = line.split('|').map((cell) => cell.trim());
  return /^V\d+\.\d+\.\d+$/.test(number) ? [{ number, state, text: text.join('|') }] : [];
});

describe(page, () => {
  it('should hold each requirement of levels 1 and 2 once', () => {
    const counts = requirements.map((_, at) => rows.filter(({ number }) => number.startsWith(`V${String(at + 1)}.`)));
    expect(counts.map(({ length }) => length)).toEqual(requirements);
    expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length);
  });

  it('should give each requirement a state with a test, a place or a reason', () => {
    expect(
      rows.filter(({ state, text }) => !states.includes(state) || text === '').map(({ number }) => number),
    ).toEqual([]);
  });

  it('should name only tests that exist', () => {
    const named = rows.flatMap(({ number, text }) =>
      [...text.matchAll(/`([^`]+\.spec\.tsx?)`: “([^”]+)”/g)].map(([, file = '', title = '']) => ({
        ...{ number, file, title },
      })),
    );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ file, title }) => !holdsTest(file, title))).toEqual([]);
  });

  it('should name only files and folders that exist', () => {
    const named = rows.flatMap(({ text }) =>
      [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g)].map(([, path = '']) => path),
    );
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('should count its rows', () => {
    const all = lines.find((line) => line.startsWith('| All '))?.match(/\d+/g);
    expect(all?.map(Number)).toEqual(states.map((state) => rows.filter((row) => row.state === state).length));
  });
});

/** Whether a file contains a test with this title, as its source spells the title. */
function holdsTest(file: string, title: string): boolean {
  if (!existsSync(file)) return false;
  const source = readFileSync(file, 'utf8');
  return [`'${title}'`, `"${title}"`, `\`${title}\``, `'${title}: `, `'${title.replaceAll("'", String.raw`\'`)}'`].some(
    (quoted) => source.includes(quoted),
  );
}
