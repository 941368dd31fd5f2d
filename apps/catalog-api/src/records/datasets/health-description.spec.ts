import { healthProblems } from './health-description.js';

const problemsOf = (healthdcat: unknown): string[] =>
  healthProblems(JSON.stringify({ healthdcat })).map(({ field, problem }) => `${field} ${problem}`);

describe(healthProblems.name, () => {
  it.each(['{}', '{"keywords":["healthdcat"]}', '{"healthdcat":{}}'])(
    'should accept metadata without facts: %s',
    (text) => {
      expect(healthProblems(text)).toEqual([]);
    },
  );

  it('should accept every fact', () => {
    const variables = [{ name: 'pulse', description: 'Heart beats in a minute.', datatype: 'integer' }];
    const texts = { provenance: 'Measured.', purpose: 'Research.', population: 'Adults.' };
    const codes = { categories: ['EHRS'], themes: ['CANCER_DISEASE'], dataset_types: ['STATISTICAL'] };
    expect(problemsOf({ ...codes, ...texts, structured: true, variables, min_age: 18, max_age: 18 })).toEqual([]);
  });

  it.each([
    ['text', 'metadata.healthdcat must be a JSON object'],
    [null, 'metadata.healthdcat must be a JSON object'],
    [{ category: [] }, 'metadata.healthdcat.category is not known here'],
    [{ categories: ['ehrs'] }, expect.stringMatching(/^metadata\.healthdcat\.categories\[0\] must be one of DIOH, /)],
    [{ structured: 'yes' }, 'metadata.healthdcat.structured must be true or false'],
    [{ structured: true }, expect.stringMatching(/variables must have at least one variable/)],
    [{ variables: [{ name: 'a', datatype: 'date' }] }, 'metadata.healthdcat.variables[0].description is missing'],
    [{ provenance: ' ' }, 'metadata.healthdcat.provenance must not be empty'],
    [{ min_age: -1 }, 'metadata.healthdcat.min_age must be at least 0'],
    [{ min_age: 5, max_age: 4 }, 'metadata.healthdcat.max_age must be at least `min_age`'],
  ])('should refuse %j with the name of the member', (stated, problem) => {
    expect(problemsOf(stated)).toEqual([problem]);
  });
});
