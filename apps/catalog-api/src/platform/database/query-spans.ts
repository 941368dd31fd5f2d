import { tracing, type OpenSpan } from '@rdc/telemetry';
import { AsyncResource } from 'node:async_hooks';
import { finished, Readable } from 'node:stream';
import pg from 'pg';

type Callback = (error: Error | undefined, ...rest: readonly unknown[]) => void;
type Method = (...args: unknown[]) => unknown;

/**
 * Records a span for every statement, as a child of the request's span. The span contains the statement's verb only,
 * because the text may contain values from callers. Patches the classes of `pg`, through which TypeORM sends statements
 * too. Call it once at start, if tracing is enabled.
 */
export function traceQueries(): void {
  const client = pg.Client.prototype as unknown as { query: Method };
  const pool = pg.Pool.prototype as unknown as { connect: Method };
  const { query } = client;
  const { connect } = pool;
  client.query = function (this: pg.Client, ...args) {
    return traced(args, (traceable) => query.apply(this, traceable));
  };
  // The request that releases a connection calls back the request that waits for one, in the wrong tracing context.
  pool.connect = function (this: pg.Pool, ...args) {
    return connect.apply(
      this,
      args.map((arg) => (typeof arg === 'function' ? AsyncResource.bind(arg as Callback) : arg)),
    );
  };
}

function traced(args: readonly unknown[], send: (args: unknown[]) => unknown): unknown {
  const [statement] = args;
  const verb = verbOf(statement);
  const span = tracing.begin(verb, 'client', { 'db.system.name': 'postgresql', 'db.operation.name': verb });
  const result = send(args.map((arg) => (typeof arg === 'function' ? endingFirst(span, arg as Callback) : arg)));
  if (statement instanceof Readable) finished(statement, endWith(span));
  else if (result instanceof Promise) {
    result.then(() => {
      span.end();
    }, endWith(span));
  }
  return result;
}

function endingFirst(span: OpenSpan, callback: Callback): Callback {
  return (error, ...rest) => {
    endWith(span)(error);
    callback(error, ...rest);
  };
}

function endWith(span: OpenSpan): (error?: unknown) => void {
  return (error) => {
    span.end({}, error ? codeOf(error) : undefined);
  };
}

/** Returns the first word of a statement, such as `SELECT`. */
function verbOf(statement: unknown): string {
  const text = typeof statement === 'string' ? statement : (statement as { text?: unknown }).text;
  return /^\s*([a-z]+)/i.exec(typeof text === 'string' ? text : '')?.[1]?.toUpperCase() ?? 'QUERY';
}

/** Returns the SQLSTATE or system error code of an error, or the name of its class. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name);
}
