import type { INestApplication } from '@nestjs/common';
import { serveOpenApi, type OpenApiOptions } from '@rdc/http';

/** The parts of the OpenAPI document that depend on the installation, and the places of the document. */
export type DocsOptions = Pick<OpenApiOptions, 'path' | 'jsonPath' | 'basePath' | 'contactEmail'>;

/** Serves the OpenAPI document as JSON and as a page. */
export function serveDocs(app: INestApplication, options: DocsOptions): Promise<void> {
  return serveOpenApi(app, {
    ...options,
    title: 'Storage provisioner',
    purpose: 'Compares the source system with the data storage and imports missing datasets and submissions.',
    pages: { Console: '/console', 'Interface of the catalog': '/docs' },
    tags,
    pathParameters,
    contains: (each) => !/^\/(health|metrics)/.test(each),
    meanings: {
      409: [
        'The operation conflicts with the present state. `more.code` contains the reason.',
        ...(['import.state', 'source.not_ready', 'source.changed_since_import', 'source.rejected'] as const),
        ...(['id.duplicate', 'id.invalid', 'dataset.withdrawn'] as const),
      ],
      507: ['The storage does not have enough free space.', 'storage.no_space'],
    },
    // A POST requests an import, which the state of the source or the storage may not allow, or announces a submission.
    statusesOf: (path, method) => (method !== 'post' ? [] : path.endsWith('/arrived') ? [404] : [404, 409, 507]),
    codesOf: (status) => (status === 403 ? ['introspection.off'] : []),
    examples: { requests: exampleRequests, members: exampleMembers },
  });
}

const tags = {
  datasets: 'Datasets of the source system, and their copies in the storage.',
  submissions: 'Submissions of the source system, and their project collections in the storage.',
  imports: 'Imports and verifications: state, progress and files.',
  schedule: 'The schedule of imports of all missing datasets and submissions.',
  storage: 'The space of the storage.',
} as const;

const pathParameters: Readonly<Record<string, string>> = {
  '/datasets/srcsys/{id}': 'The id of the dataset: the name of its folder in the source.',
  '/submissions/srcsys/{id}': 'The reference of the submission: the name of its folder in the source.',
  '/imports/{id}': 'The `id` of the import.',
};

/** Examples of request bodies by `operationId`. Each is harmless if it is sent. */
const exampleRequests: Readonly<Record<string, unknown>> = {
  importDataset: { dataset_id: 'DS-001' },
  importSubmission: { reference: 'SUB-2026-001' },
  setSchedule: { cron: 'default' },
};

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
