import { version } from './version.js';

/** Which software did something, as it is written down with it. */
export interface SoftwareAgent {
  /** Name and version, e.g. `provisioner 0.1.0`. */
  readonly service: string;
  /** The version of Node.js. */
  readonly node: string;
}

/** This process. */
export const thisAgent: SoftwareAgent = { service: `provisioner ${version}`, node: process.version };
