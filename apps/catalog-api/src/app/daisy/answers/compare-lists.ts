import type { DaisyList } from '../daisy-source.js';
import { rawOf, rawsOf, textOf, type Raw } from '../raw-values.js';
import { compareRecords } from './compare-records.js';
import type { Findings } from './difference.js';

/** The answers of both systems to one caller. */
export interface ListAnswers {
  readonly caller: string;
  readonly list: DaisyList;
  readonly daisy: Raw;
  readonly catalog: Raw;
}

/** Compares one list of both systems, record by record. @param projects the ids of the projects that the catalog sends */
export function compareLists(answers: ListAnswers, projects: ReadonlySet<string>, findings: Findings): void {
  const { caller, list, daisy, catalog } = answers;
  const record = `${caller}/${list}`;
  const [given, stored] = [recordsOf(daisy), recordsOf(catalog)];
  const [sent, served] = [byId(list, given), byId(list, stored)];
  if (textOf(daisy['$schema']) !== textOf(catalog['$schema'])) {
    const [one, other] = [daisy['$schema'], catalog['$schema']];
    findings.explained('address of the schema', { record, path: '$schema', daisy: one, catalog: other });
  }
  if (given.length > sent.size) {
    const rule = list === 'projects' ? 'project once per exposure' : undefined;
    explain(rule, { record, path: '', daisy: given.length, catalog: stored.length }, findings);
  }
  const common = [...sent.keys()].filter((id) => served.has(id));
  const order = [...served.keys()].filter((id) => sent.has(id));
  if (common.some((id, index) => id !== order[index])) {
    findings.explained('order of records', { record, path: '', daisy: common.join(' '), catalog: order.join(' ') });
  }
  for (const id of common) compareRecords(`${record}/${id}`, sent.get(id) ?? {}, served.get(id) ?? {}, findings);
  for (const [id, each] of sent) {
    if (served.has(id)) continue;
    const rule = isContractOfOthers(list, each, projects) ? 'contract of another endpoint' : undefined;
    explain(rule, { record: `${record}/${id}`, path: '', daisy: id, catalog: undefined }, findings);
  }
  for (const [id, each] of served) {
    if (sent.has(id)) continue;
    const rule = list === 'datasets' && isOmitted(each) ? 'dataset that DAISY omits' : undefined;
    explain(rule, { record: `${record}/${id}`, path: '', daisy: undefined, catalog: id }, findings);
  }
}

/** Returns the ids of the records in an answer. */
export function idsOf(list: DaisyList, answer: Raw): ReadonlySet<string> {
  return new Set(byId(list, recordsOf(answer)).keys());
}

function recordsOf(answer: Raw): Raw[] {
  return rawsOf(answer['items'] ?? answer['results']);
}

/** Returns the first record with each id, in the order of the answer. */
function byId(list: DaisyList, records: readonly Raw[]): Map<string, Raw> {
  const found = new Map<string, Raw>();
  for (const record of records) {
    const id = textOf(record[list === 'contracts' ? 'id' : 'id_at_source']) ?? '';
    if (!found.has(id)) found.set(id, record);
  }
  return found;
}

/** Whether DAISY sends a contract although its project is not exposed to the caller. */
function isContractOfOthers(list: DaisyList, contract: Raw, projects: ReadonlySet<string>): boolean {
  return list === 'contracts' && !projects.has(textOf(contract['project_id']) ?? '');
}

/** Whether DAISY omits a dataset: a transfer has no partner, or a use condition an unknown class. */
function isOmitted(dataset: Raw): boolean {
  const conditions = rawsOf(dataset['data_declarations']).flatMap((each) => rawsOf(each['use_conditions']));
  return (
    rawsOf(dataset['transfers']).some((transfer) => textOf(transfer['partner']) === null) ||
    conditions.some((condition) => rawOf(condition)['use_class'] === 'Other')
  );
}

function explain(
  rule: string | undefined,
  difference: Parameters<Findings['unexplained']>[0],
  findings: Findings,
): void {
  if (rule === undefined) findings.unexplained(difference);
  else findings.explained(rule, difference);
}
