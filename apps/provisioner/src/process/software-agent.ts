import { version } from './version.js';

/** The software that performed an action, as recorded with the action. */
export interface SoftwareAgent {
  /** The name and version, e.g. `provisioner 0.1.0`. */
  readonly service: string;
  /** The version of Node.js. */
  readonly node: string;
}

export const thisAgent: SoftwareAgent = { service: `provisioner ${version}`, node: process.version };
