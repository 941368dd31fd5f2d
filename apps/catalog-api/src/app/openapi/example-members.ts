/** What members of these names look like in examples, where their schemas do not say. */
export const exampleMembers: Readonly<Record<string, unknown>> = {
  // Answers have it beside their records only, where its schema says so.
  $schema: undefined,
  source: 'https://catalog.example.org',
  id_at_source: '11',
  external_id: 'RDC_11',
  acronym: 'ALPHA',
  name: 'Alpha genomes',
  title: 'Genomes',
  first_name: 'Ada',
  last_name: 'Byron',
  email: 'ada@example.org',
  subject: 'f3c1b2a4',
  released_date: '2026-01-31T08:00:00.000Z',
  deprecation_date: null,
  deprecation_notes: null,
  deprecated: false,
  request_id: '4c0e2f6e-5b0f-4a51-9a3c-2a6d1f1b7c11',
  next_cursor: null,
};
