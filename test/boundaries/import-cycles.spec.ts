import { globSync, readFileSync } from 'node:fs';
import { importCycles } from './import-cycles.ts';

const folders = ['apps/*/{src,test}', 'libs/*/{src,test}', 'scripts', 'bench', 'test'];

describe(importCycles.name, () => {
  it('should find no import cycle of files in the project', () => {
    const files = globSync(folders.map((folder) => `${folder}/**/*.{ts,tsx}`));
    expect(files.length).toBeGreaterThan(1_000);
    const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
    expect(importCycles(sources)).toEqual([]);
  });

  it.each([
    { statement: `import type { B } from './b.js';` },
    { statement: `import { type B } from './b.js';` },
    { statement: `export * from './b.js';` },
    { statement: `const b = await import('./b.js');` },
    { statement: `type B = import('./b.js').B;` },
  ])('should report a cycle that contains $statement', ({ statement }) => {
    const b = `import { c } from '../c/c.tsx';`;
    const c = `import { a } from '../a/a.js';`;
    const sources = new Map([
      ['a/a.ts', statement],
      ['a/b.ts', b],
      ['c/c.tsx', c],
      ['d.ts', `import './a/a.js';`],
    ]);
    expect(importCycles(sources)).toEqual([['a/a.ts', 'a/b.ts', 'c/c.tsx', 'a/a.ts']]);
  });

  it('should report a cycle through a library', () => {
    const sources = new Map([
      ['libs/http/src/index.ts', `export * from './a.js';`],
      ['libs/http/src/a.ts', `import { b } from '@rdc/http';`],
    ]);
    expect(importCycles(sources)).toHaveLength(1);
  });
});
