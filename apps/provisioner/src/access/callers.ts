import { CallableBy } from '@rdc/auth';

/** Whoever may import: the global key, and people signed in who curate. The default of every controller. */
export const CallableByImporters = (): MethodDecorator & ClassDecorator =>
  CallableBy('global', 'session:admin', 'session:data_steward');

/** Whoever may look: those, and auditors. For handlers that change nothing. */
export const CallableByReaders = (): MethodDecorator & ClassDecorator =>
  CallableBy('global', 'session:admin', 'session:data_steward', 'session:auditor');
