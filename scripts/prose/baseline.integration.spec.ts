import { countsOf, folderOf, lowered, tooMany } from './baseline.ts';

describe(folderOf.name, () => {
  it.each([
    ['apps/catalog-api/src/records/terms/term.ts', 'apps/catalog-api/src/records'],
    ['apps/provisioner/test/import.spec.ts', 'apps/provisioner/test'],
    ['libs/auth/src/key.ts', 'libs/auth'],
    ['README.md', '.'],
  ])('should count %s under %s', (file, folder) => {
    expect(folderOf(file)).toBe(folder);
  });
});

describe(tooMany.name, () => {
  it('should return the folders with more violations than the baseline allows', () => {
    const counts = countsOf(['libs/auth/a.ts', 'libs/auth/b.ts', 'docs/a.md', 'bench/a.ts']);
    expect(tooMany({ 'libs/auth': 1, docs: 1 }, counts)).toEqual(['bench', 'libs/auth']);
  });
});

describe(lowered.name, () => {
  it('should lower counts that have fallen, keep the others, and remove folders without violations', () => {
    expect(lowered({ bench: 3, docs: 1, libs: 2 }, { bench: 2, docs: 5 })).toEqual({ bench: 2, docs: 1 });
  });
});
