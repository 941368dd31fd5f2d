declare module 'pg-copy-streams' {
  import type { Submittable } from 'pg';
  import type { Readable } from 'node:stream';

  /** A query whose `COPY ... TO STDOUT` output is read as a stream of bytes. */
  export function to(statement: string): Submittable & Readable;
}
