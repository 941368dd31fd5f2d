const project = {
  acronym: 'PARKCOG',
  name: "Cognition in early Parkinson's disease",
  description: "Which people with Parkinson's disease develop cognitive impairment, and what predicts it?",
  start_date: '2021-03-01',
};

const dataset = {
  name: 'PARKCOG clinical assessments',
  description: 'Motor and vital-sign assessments of 240 participants at four visits.',
  project: 'PARKCOG',
};

const contract = { name: 'PARKCOG consortium agreement', comments: 'Signed 2021-02-11.' };

const partner = {
  name: 'Ardenne University Hospital',
  acronym: 'AUH',
  is_clinical: true,
  address: '12, avenue de la Clinique, L-1200 Ardenne',
  country_code: 'LU',
};

const cohort = {
  name: 'PARKCOG',
  description: "People with early Parkinson's disease and matched controls, followed yearly since 2021.",
  url: 'https://parkcog.example.org',
};

const proof = { current_password: 'the current password', code: '123456' };

/**
 * Examples of request bodies by `operationId`, from the sample. Each is harmless if it is sent: no example creates a
 * public endpoint, publishes a dataset, chooses a key or gives a role.
 */
export const exampleRequests: Readonly<Record<string, unknown>> = {
  ...examplesOf('Project', project, 'description'),
  ...examplesOf('Dataset', dataset, 'description'),
  ...examplesOf('Contract', contract, 'comments'),
  ...examplesOf('Partner', partner, 'address'),
  ...examplesOf('Cohort', cohort, 'url'),
  receiveEntitlements: [
    { application: 12, resource: 'RDC_11', user: 'f3c1b2a4', mail: 'ada@example.org', end: '2036-01-31T08:00:00.000Z' },
  ],
  grantAccess: { dataset: 'RDC_11', user_id: 8, expires_at: '2036-01-31T08:00:00.000Z', notes: 'For the review.' },
  updateAccess: { notes: 'Extended for the review.' },
  replaceProjectCustodians: { custodians: [1], personnel: [8, 9] },
  replaceDatasetCustodians: { custodians: [1] },
  replaceContractCustodians: { custodians: [1] },
  createEndpoint: {
    name: 'Test portal',
    url_pattern: 'https://portal.example.org/dataset/${entity_id}',
    public: false,
  },
  updateEndpoint: { url_pattern: 'https://portal.example.org/dataset/${entity_id}' },
  issueEndpointKey: { overlap_seconds: 86_400 },
  createGrant: { user_id: 8, resource: 'projects', record_id: 'RDC_1' },
  createPlatform: { name: 'Archive storage', public: false },
  updatePlatform: { name: 'Archive storage' },
  createServiceKey: { name: 'harvester', scopes: ['records:read'], projects: ['RDC_1'] },
  updateServiceKey: { scopes: ['records:read'], projects: ['RDC_1'] },
  rotateServiceKey: { overlap_seconds: 86_400 },
  createUser: { first_name: 'Ada', last_name: 'Byron', email: 'ada@example.org' },
  updateUser: { first_name: 'Ada', last_name: 'Byron' },
  issueUserKey: { expires_at: '2036-01-31T08:00:00.000Z' },
  createPasswordLink: { add_password: false },
  exposeDataset: { endpoint: 'Epilepsy Network Catalogue', form_id: 1 },
  deprecateExposure: { reason: 'A newer version replaces the dataset.' },
  addDatasetStorage: {
    platform: 'Archive storage',
    location: '/archive/RDC_11',
    category: 'backup',
    bytes: 73_400_320,
    files: 12,
  },
  createEventSubscription: {
    name: 'Ticket system',
    url: 'https://tickets.example.invalid/events',
    types: ['import.rejected', 'verification.failed'],
  },
  updateEventSubscription: { types: ['import.rejected'] },
  rotateEventSecret: { overlap_seconds: 86_400 },
  reportImportEvent: {
    ...{ type: 'import.finished', import_id: '01M7ZW7275ACSPZ1JBFGFVCTZY', attempt: 1, kind: 'dataset', id: 'RDC_11' },
    ...{ code: null, finished_at: '2036-01-31T08:00:00.000Z' },
  },
  introspectToken: { token: 'a session token or a service key' },
  signIn: { login: 'ada@example.org', password: 'the password' },
  changePassword: { ...proof, new_password: 'a new password of 12 characters' },
  setPassword: { token: 'the token of the link', password: 'a new password of 12 characters' },
  createSecondFactor: { current_password: proof.current_password },
  confirmSecondFactor: { code: proof.code },
  renewRecoveryCodes: proof,
  removeSecondFactor: proof,
};

/** Returns the examples for the writes of one kind of record. @param changed the member that PATCH changes */
function examplesOf<Body extends object>(kind: string, body: Body, changed: keyof Body): Record<string, object> {
  return { [`create${kind}`]: body, [`replace${kind}`]: body, [`update${kind}`]: { [changed]: body[changed] } };
}
