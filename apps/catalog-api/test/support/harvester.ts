import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/**
 * A harvester, as a program of its own, so that a test can kill it: `harvester.ts <origin> <key> <journal> <limit>`. It
 * reads the change feed and appends each page with its cursor to the journal, in one write. After a restart it continues
 * at the last cursor of the journal.
 */
const [, , origin = '', key = '', journal = '', limit = ''] = process.argv;

/** The pause before the feed is read again after its end. */
const idleMs = 50;

interface Page {
  readonly cursor: string;
  readonly has_more: boolean;
}

let since = lastCursor();
for (;;) {
  const from = since === undefined ? '' : `&since=${since}`;
  const answer = await fetch(`${origin}/api/changes?limit=${limit}${from}`, { headers: { 'X-API-Key': key } });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${String(answer.status)} ${text}`);
  const page = JSON.parse(text) as Page;
  appendFileSync(journal, `${JSON.stringify(page)}\n`);
  since = page.cursor;
  if (!page.has_more) await setTimeout(idleMs);
}

/** Returns the cursor of the last complete line, and removes a line that a kill has cut. */
function lastCursor(): string | undefined {
  if (!existsSync(journal)) return undefined;
  const bytes = readFileSync(journal);
  const end = bytes.lastIndexOf('\n') + 1;
  truncateSync(journal, end);
  const last = bytes.subarray(0, end).toString().trimEnd().split('\n').at(-1);
  return last ? (JSON.parse(last) as Page).cursor : undefined;
}
