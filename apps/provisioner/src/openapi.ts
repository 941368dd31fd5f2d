import type { INestApplication } from '@nestjs/common';
import { serveOpenApi } from '@rdc/http';

/** Serves the OpenAPI document at `jsonPath` and as a page at `path`. */
export function serveDocs(app: INestApplication, path: string, jsonPath: string): Promise<void> {
  return serveOpenApi(app, {
    path,
    jsonPath,
    title: 'Storage provisioner',
    purpose: 'Compares the source system with the data storage and imports missing datasets and submissions.',
    contains: (each) => !/^\/(health|metrics)/.test(each),
    meanings: {
      409: ['The operation conflicts with the present state. `more.code` contains the reason.', 'import.state'],
      507: ['The storage does not have enough free space.', 'storage.no_space'],
    },
    // A POST requests an import, which the state of the source or the storage may not allow.
    statusesOf: (_path, method) => (method === 'post' ? [404, 409, 507] : []),
    exampleMembers,
  });
}

/** Example values of members by name, for members whose schemas contain no example. */
const exampleMembers: Readonly<Record<string, unknown>> = {
  subject: 'DS-001',
  submission: 'SUB-2026-001',
  dataset_id: 'DS-001',
  import_id: '01M7ZW7275ACSPZ1JBFGFVCTZY',
  title: 'Genomes',
  submitter: 'Ada Byron',
  requested_by: 'ada@example.org',
  phase: 'copying',
  sha256: '5994471abb01112afcc18159f6cc74b4f511b99806da59b3caf5a9c173cacfc5',
  manifest_sha256: '5994471abb01112afcc18159f6cc74b4f511b99806da59b3caf5a9c173cacfc5',
  missing_datasets: [],
  problems: [],
  current: ['data/reads.bam'],
  skipped: { not_ready: 1 },
  error: null,
};
