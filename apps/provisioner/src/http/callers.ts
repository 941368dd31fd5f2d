import { CallableBy } from '@rdc/auth';

const importers = ['global', 'session:admin', 'session:data_steward'] as const;

/** Admits callers that may import: the global key, people that curate, and programs. The default of every controller. */
export const CallableByImporters = (): MethodDecorator & ClassDecorator =>
  CallableBy(...importers, 'scope:imports:write');

/** Admits callers that may read: those that may import, auditors, and programs. For handlers that change nothing. */
export const CallableByReaders = (): MethodDecorator & ClassDecorator =>
  CallableBy(...importers, 'session:auditor', 'scope:imports:read');

/** Admits people that may read, and no program with limits, for pages that show everything. */
export const CallableByPeople = (): MethodDecorator & ClassDecorator => CallableBy(...importers, 'session:auditor');
