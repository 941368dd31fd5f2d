/** The lists that are served from stored documents. */
export const listNames = ['projects', 'datasets', 'contracts', 'partners', 'cohorts'] as const;

/** A list that is served from stored documents. */
export type ListName = (typeof listNames)[number];

/** A list that callers read. The list of people has no stored documents; it is read from the table `users`. */
export type ReadableList = ListName | 'users';

/** The table that holds the stored documents of each list. */
export const documentTables: Readonly<Record<ListName, string>> = {
  projects: 'project_documents',
  datasets: 'dataset_documents',
  contracts: 'contract_documents',
  partners: 'partner_documents',
  cohorts: 'cohort_documents',
};
