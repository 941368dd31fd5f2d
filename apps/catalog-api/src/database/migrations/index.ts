import { InitialSchema1790000000000 } from './1-initial-schema.js';
import { AccessRequests1790000100000 } from './2-access-requests.js';
import { Sessions1790000200000 } from './3-sessions.js';
import { AdministrationLists1790000300000 } from './4-administration-lists.js';
import { AccessConfirmation1790000400000 } from './5-access-confirmation.js';

/** Every migration, oldest first. */
export const migrations = [
  InitialSchema1790000000000,
  AccessRequests1790000100000,
  Sessions1790000200000,
  AdministrationLists1790000300000,
  AccessConfirmation1790000400000,
];
