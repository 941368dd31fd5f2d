/** The values of members in examples, by name. They apply to members whose schema has no example. */
export const exampleMembers: Readonly<Record<string, unknown>> = {
  // Only lists have this member. Their schema contains its example.
  $schema: undefined,
  // Lists have this member on request.
  updated_at: undefined,
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
