import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startDaisyDatabase, type TestDaisy } from '../daisy-database.js';
import type { Document } from '../writing.js';

/** One line of `answers.ndjson`: a caller, a record of a list with the callers that receive it, or a person. */
type RecordedLine =
  | { readonly caller: string; readonly key: string }
  | { readonly list: string; readonly callers: readonly string[]; readonly record: Document }
  | { readonly subject: string; readonly status: number; readonly body: readonly string[] };

/** A DAISY that a centre used for a while: its database, and its recorded answers to every key and for every person. */
export interface RecordedDaisy {
  readonly database: TestDaisy;
  /** The URL of a server that sends the recorded answers. */
  readonly url: string;
  /** The keys by the names of the callers. */
  readonly keys: ReadonlyMap<string, string>;
  readonly subjects: readonly string[];
  stop(): Promise<void>;
}

/** Starts the recorded DAISY. All texts and people in it are invented; its ids, flags, dates and links are real. */
export async function startRecordedDaisy(): Promise<RecordedDaisy> {
  const lines = linesOf<RecordedLine>('answers.ndjson');
  const keys = new Map(lines.flatMap((line) => ('key' in line ? [[line.caller, line.key] as const] : [])));
  const callers = new Map([...keys].map(([caller, key]) => [key, caller]));
  const server = createServer((request, response) => {
    const caller = callers.get(String(request.headers['x-api-key']));
    const [, , list = '', subject] = (request.url ?? '').split('/');
    const person = lines.find((line) => 'subject' in line && line.subject === subject);
    if (caller === undefined) response.writeHead(401).end('{"status": "Error"}');
    else if (person && 'subject' in person) response.writeHead(person.status).end(JSON.stringify(person.body));
    else response.end(JSON.stringify(answerOf(lines, list, caller)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const database = await startDaisyDatabase(rowsByTable());
  return {
    database,
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    keys,
    subjects: lines.flatMap((line) => ('subject' in line ? line.subject : [])),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await database.drop();
    },
  };
}

/** Returns the recorded answer. DAISY sends a record more than once if a caller is named more than once. */
function answerOf(lines: readonly RecordedLine[], list: string, caller: string): Document {
  const records = lines.flatMap((line) =>
    'list' in line && line.list === list ? line.callers.filter((each) => each === caller).map(() => line.record) : [],
  );
  return list === 'partners' || list === 'cohorts' ? { results: records } : { items: records };
}

function rowsByTable(): Record<string, object[]> {
  const rows: Record<string, object[]> = {};
  for (const { table, row } of linesOf<{ table: string; row: object }>('rows.ndjson')) (rows[table] ??= []).push(row);
  return rows;
}

function linesOf<Line>(file: string): Line[] {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
