import { LooseMatches, type LooseMatch } from './loose-matches.js';

describe(LooseMatches.name, () => {
  /** Returns the matches of declared files, each with the number of names that must match, among existing files. */
  function matches(declared: Readonly<Record<string, number>>, existing: readonly string[]): readonly LooseMatch[] {
    const missing = Object.entries(declared).map(([path, looseNames]) => ({ path, looseNames, isFetched: false }));
    const searches = new LooseMatches(missing);
    for (const path of existing) searches.add(path);
    return [...searches.found()];
  }

  it('should find a file by its name in any Unicode form', () => {
    expect(matches({ é: 1, exact: 0 }, ['s/e\u0301', 's/exact', 'x'])).toEqual([
      { declared: 'é', found: 's/e\u0301', matches: 1 },
    ]);
  });

  it('should find the file that shares most names with a path from elsewhere', () => {
    expect(matches({ 'scratch/run/S1/a': 1 }, ['S2/a', 'S1/a', 'S3/a'])).toMatchObject([{ found: 'S1/a', matches: 1 }]);
  });

  it('should require all names of a relative path', () => {
    expect(matches({ 'S1/a': 2 }, ['S2/a'])).toEqual([]);
    expect(matches({ 'S1/a': 2 }, ['run/S1/a'])).toMatchObject([{ found: 'run/S1/a' }]);
  });

  it('should count the files when several match equally well', () => {
    expect(matches({ a: 1 }, ['S1/a', 'S2/a', 'b'])).toMatchObject([{ matches: 2 }]);
  });
});
