/** The five lists that are served from stored documents. */
export const listNames = ['projects', 'datasets', 'contracts', 'partners', 'cohorts'] as const;

/** One of the five lists. */
export type ListName = (typeof listNames)[number];

/** Every list that callers read: the stored ones, and the list of people, which is read from the people's rows. */
export type ReadableList = ListName | 'users';

/** The table that holds the stored documents of each list. */
export const documentTables: Readonly<Record<ListName, string>> = {
  projects: 'project_documents',
  datasets: 'dataset_documents',
  contracts: 'contract_documents',
  partners: 'partner_documents',
  cohorts: 'cohort_documents',
};
