import { readFileSync } from 'node:fs';
import { vocabularyRows } from '../linked-data/health-vocabulary.js';
import type { StoredLists } from '../../publishing/documents/stored-list.js';

const sqlOf = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** The five lists with the SQL that builds their documents and views. */
export const storedLists: StoredLists = {
  projects: {
    name: 'projects',
    build: sqlOf('projects/project.document.sql'),
    views: sqlOf('projects/project.views.sql'),
    linked: sqlOf('linked-data/project.linked.sql'),
    members: ['body', 'linked'],
    values: [],
    plain: [],
  },
  datasets: {
    name: 'datasets',
    build: sqlOf('datasets/dataset.document.sql'),
    views: sqlOf('datasets/dataset.views.sql'),
    linked: sqlOf('linked-data/dataset.linked.sql').replace('$vocabularies', vocabularyRows),
    members: ['body', 'linked'],
    values: ['storages', 'public_storages'],
    plain: [],
  },
  contracts: {
    name: 'contracts',
    build: sqlOf('contracts/contract.document.sql'),
    views: sqlOf('contracts/contract.views.sql'),
    members: ['body'],
    values: [],
    plain: [],
  },
  partners: {
    name: 'partners',
    build: sqlOf('partners/partner.document.sql'),
    views: sqlOf('partners/partner.views.sql'),
    members: ['body'],
    values: [],
    plain: ['name', 'published'],
  },
  cohorts: {
    name: 'cohorts',
    build: sqlOf('cohorts/cohort.document.sql'),
    views: sqlOf('cohorts/cohort.views.sql'),
    members: ['body', 'people', 'public_people'],
    values: [],
    plain: ['published'],
  },
};
