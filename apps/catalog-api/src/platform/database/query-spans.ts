import { tracing, type OpenSpan } from '@rdc/telemetry';
import { AsyncResource } from 'node:async_hooks';
import { finished, Readable } from 'node:stream';
import pg from 'pg';

type Callback = (error: Error | undefined, ...rest: readonly unknown[]) => void;
type Method = (...args: unknown[]) => unknown;

/**
 * Makes a span of every statement below a request's span. It says what kind of statement it is, and nothing of its
 * text: values of callers stand in some. Called once at start, when tracing is on; it changes `pg` itself, as that is
 * what TypeORM, too, sends statements with.
 */
export function traceQueries(): void {
  const client = pg.Client.prototype as unknown as { query: Method };
  const pool = pg.Pool.prototype as unknown as { connect: Method };
  const { query } = client;
  const { connect } = pool;
  client.query = function (this: pg.Client, ...args) {
    return traced(args, (traceable) => query.apply(this, traceable));
  };
  // Whoever waits for a connection gets it from who gives it back, but is still who it was.
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

/** The first word of a statement, such as `SELECT`. */
function verbOf(statement: unknown): string {
  const text = typeof statement === 'string' ? statement : (statement as { text?: unknown }).text;
  return /^\s*([a-z]+)/i.exec(typeof text === 'string' ? text : '')?.[1]?.toUpperCase() ?? 'QUERY';
}

/** A SQLSTATE, an error of the system, or what kind of error it is. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name);
}
