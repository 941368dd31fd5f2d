/** Texts of the overview. */
export const overview = {
  catalog: 'Catalog',
  published: (published: number, total: number): string =>
    `${published.toLocaleString('en')} of ${total.toLocaleString('en')} published`,
  unpublished: (count: number): string => `${count.toLocaleString('en')} not published`,
  accesses: 'Accesses',
  inForce: 'In force',
  ending: 'End within 30 days',
  waiting: 'Entitlements waiting',
  suspended: 'Held back',
  refused: 'Entitlements refused',
  conflicts: 'Conflicts of the last identity sync',
  users: 'Active people',
  terms: 'Terms',
  categories: { disease: 'Diseases', phenotype: 'Phenotypes', study: 'Studies', gene: 'Genes' },
  noTerms: 'No terms are loaded. An administrator loads them with the command “catalog import terms”.',
  imports: 'Imports',
  importsOf: (days: number): string => `Datasets imported in ${String(days)} days`,
  bytes: 'Bytes imported',
  failed: 'Failed imports',
  perDay: (days: string): string => `Bytes imported on each day. ${days}`,
  day: (day: string, count: number, size: string): string =>
    `${day}: ${count === 1 ? '1 dataset' : `${String(count)} datasets`}, ${size}`,
  noImports: 'Nothing was imported lately.',
  toImport: 'See what is not imported yet',
  nothingTitle: 'Welcome',
  nothingHint: 'The navigation leads to the records that you may see. Ask an administrator for a role to see more.',
};
