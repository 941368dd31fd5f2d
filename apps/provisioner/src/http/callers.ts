import { CallableBy } from '@rdc/auth';

const importers = ['global', 'session:admin', 'session:data_steward'] as const;

/** Admits callers that may import: the global key, administrators, data stewards, and keys with `imports:write`. */
export const CallableByImporters = (): MethodDecorator & ClassDecorator =>
  CallableBy(...importers, 'scope:imports:write');

/** Admits callers that may withdraw: importers without a service key, and keys with `imports:withdraw`. */
export const CallableByWithdrawers = (): MethodDecorator & ClassDecorator =>
  CallableBy(...importers, 'scope:imports:withdraw');

/** Admits callers that may purge: the global key, administrators and data stewards. No service key may. */
export const CallableByPurgers = (): MethodDecorator & ClassDecorator => CallableBy(...importers);

/**
 * Admits callers that may read: importers, auditors, and keys with `imports:read`. For handlers that change nothing.
 */
export const CallableByReaders = (): MethodDecorator & ClassDecorator =>
  CallableBy(...importers, 'session:auditor', 'scope:imports:read');

/** Admits the global key and sessions that may read, but no service keys. For pages without limits to submissions. */
export const CallableByPeople = (): MethodDecorator & ClassDecorator => CallableBy(...importers, 'session:auditor');
