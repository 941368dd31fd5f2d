import type { FieldProblem } from '@rdc/errors';
import { DocumentValidator } from '../../publishing/schemas/document-validator.js';
import { enumLabels, listOf, objectOf, requiredText, type JsonSchema } from '../../publishing/schemas/json-schema.js';
import { healthVocabularies, type Vocabulary } from '../linked-data/health-vocabulary.js';

/** The member of a dataset's metadata with the facts of HealthDCAT-AP that only a steward can state. */
export const healthMember = 'healthdcat';

const age = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, maximum: 999, description });

const codesOf = ({ title, labels }: Vocabulary): JsonSchema =>
  listOf({ enum: Object.keys(labels), [enumLabels]: labels }, `${title}.`);

const variable = objectOf(
  {
    name: requiredText(500, 'The name of the variable in the data.'),
    title: requiredText(500, 'The title of the variable for people. If absent, the name.'),
    description: requiredText(10_000, 'The meaning of the variable.'),
    datatype: requiredText(100, 'A datatype of CSV on the Web, such as `string`, `integer` or `date`.'),
  },
  ['name', 'description', 'datatype'],
);

/** The JSON Schema of the member `healthdcat`. */
export const healthSchema: JsonSchema = objectOf(
  {
    categories: codesOf(healthVocabularies.categories),
    themes: codesOf(healthVocabularies.themes),
    dataset_types: codesOf(healthVocabularies.dataset_types),
    structured: { type: 'boolean', description: 'Whether the data are tables. If true, `variables` is required.' },
    variables: listOf(variable, 'The variables of the tables.'),
    provenance: requiredText(1_000_000, 'The origin of the data.'),
    purpose: requiredText(1_000_000, 'The purpose for which the data were collected.'),
    population: requiredText(1_000_000, 'The people from whom the data come.'),
    min_age: age('The lowest typical age of the participants, in years.'),
    max_age: age('The highest typical age of the participants, in years.'),
  },
  [],
  'The facts of HealthDCAT-AP that only a steward can state.',
);

const validator = new DocumentValidator(healthSchema);

/** Returns the problems of the member `healthdcat`, if metadata have the member. @param metadata a JSON object as text */
export function healthProblems(metadata: string): FieldProblem[] {
  if (!metadata.includes(healthMember)) return [];
  const stated = (JSON.parse(metadata) as Readonly<Record<string, unknown>>)[healthMember];
  if (stated === undefined) return [];
  const problems = validator.problemsOf(stated);
  return [...problems, ...(problems.length === 0 ? contradictions(stated as HealthDescription) : [])].map(
    ({ field, ...rest }) => ({
      field: `metadata.${healthMember}${field === '' ? '' : `.${field}`}`,
      ...rest,
    }),
  );
}

function contradictions({
  structured,
  variables = [],
  min_age = 0,
  max_age = Infinity,
}: HealthDescription): FieldProblem[] {
  return [
    ...(structured === true && variables.length === 0
      ? [{ field: 'variables', problem: 'must have at least one variable, because `structured` is true' }]
      : []),
    ...(min_age > max_age ? [{ field: 'max_age', problem: 'must be at least `min_age`' }] : []),
  ];
}

/** The facts that a steward states, as far as they depend on each other. */
interface HealthDescription {
  readonly structured?: boolean;
  readonly variables?: readonly unknown[];
  readonly min_age?: number;
  readonly max_age?: number;
}
