import { InitialSchema1790000000000 } from './1-initial-schema.js';

/** Every migration, oldest first. */
export const migrations = [InitialSchema1790000000000];
