import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from 'typeorm';
import type { RecordBody, RecordKind } from './record-kind.js';
import type { WriteItem, WriteOptions } from './write-item.js';
import type { WriteProblems } from './write-problems.js';

/** Returns the members that identify a record. An assigned value never changes. */
function identityOf<Body extends RecordBody>(kind: RecordKind<Body>): string[] {
  return ['external_id', 'uuid'].filter((member) => kind.schema.properties?.[member] !== undefined);
}

function uniqueMembers<Body extends RecordBody>(kind: RecordKind<Body>): string[] {
  return [...identityOf(kind), ...(kind.naturalKey === null ? [] : [kind.naturalKey])];
}

/**
 * Returns a document with its previous identity if it has none, and with its previous metadata if both are equal JSON.
 */
export function withIdentity<Body extends RecordBody>(kind: RecordKind<Body>, body: Body, before: Body): Body {
  const kept = identityOf(kind).map((member) => [member, valueOf(body, member) ?? valueOf(before, member)]);
  const metadata = [valueOf(body, 'metadata'), valueOf(before, 'metadata')] as const;
  return {
    ...body,
    ...(Object.fromEntries(kept) as object),
    ...(isSameJson(...metadata) && { metadata: metadata[1] }),
  };
}

/** Returns whether two JSON texts have the same value. Texts with numbers beyond the precision of JavaScript differ. */
function isSameJson(one: string | null, other: string | null): boolean {
  if (one === null || other === null || /\d{16}/.test(one)) return false;
  return isDeepStrictEqual(JSON.parse(one), JSON.parse(other));
}

/** Adds a problem for each changed accession or UUID. */
export function refuseChangedIdentity<Body extends RecordBody>(
  kind: RecordKind<Body>,
  { index, body }: WriteItem<Body>,
  before: Body,
  problems: WriteProblems,
): void {
  for (const member of identityOf(kind)) {
    const [now, then] = [valueOf(body, member), valueOf(before, member)];
    if (then === null || now === then) continue;
    problems.add(index, { field: member, problem: `cannot be changed; it is ${JSON.stringify(then)}` });
  }
}

/**
 * Adds a problem for each accession or UUID that a document assigns. The response to a writer that is limited to
 * projects must not depend on the accessions and UUIDs of hidden records.
 */
export function refuseAssignedIdentity<Body extends RecordBody>(
  kind: RecordKind<Body>,
  items: readonly (WriteItem<Body> & { readonly before: Body | null })[],
  problems: WriteProblems,
): void {
  for (const { index, body, before } of items) {
    for (const member of identityOf(kind)) {
      if (valueOf(body, member) === null || (before && valueOf(before, member) !== null)) continue;
      problems.add(index, { field: member, problem: 'must not be set by a key that is limited to projects' });
    }
  }
}

/**
 * Adds a problem for each unique member that another item or another record already has. An accession is also unique
 * among the records of all kinds, including removed records of other kinds.
 */
export async function refuseTakenNames<Body extends RecordBody>(
  manager: EntityManager,
  kind: RecordKind<Body>,
  items: readonly WriteItem<Body>[],
  { problems, usedNames, rights }: WriteOptions,
): Promise<void> {
  const named = uniqueMembers(kind).filter((member) => !rights.isLimited || !identityOf(kind).includes(member));
  for (const member of named) {
    const given = items.flatMap(({ index, id, body }) => {
      const value = valueOf(body, member);
      return value === null ? [] : [{ index, id, value }];
    });
    for (const { index, value } of given) {
      const key = JSON.stringify([member, value]);
      const first = usedNames.get(key);
      if (first === undefined) usedNames.set(key, index);
      else
        problems.add(index, {
          field: member,
          problem: `must be unique: item ${String(first)} also has ${JSON.stringify(value)}`,
        });
    }
    const conflicts = await manager.query<{ index: number; value: string }[]>(
      `SELECT given.index, given.value FROM jsonb_to_recordset($1::jsonb) AS given (index integer, id integer, value text)
         JOIN ${kind.list} AS record ON record.${member} = given.value${member === 'uuid' ? '::uuid' : ''}
        WHERE record.id IS DISTINCT FROM given.id ORDER BY given.index`,
      [JSON.stringify(given)],
    );
    for (const { index, value } of conflicts) {
      problems.add(index, {
        field: member,
        problem: `must be unique: another ${kind.word} has ${JSON.stringify(value)}`,
      });
    }
    if (member === 'external_id') await refuseAccessionsOfOthers(manager, kind, given, problems);
  }
}

async function refuseAccessionsOfOthers<Body extends RecordBody>(
  manager: EntityManager,
  kind: RecordKind<Body>,
  given: readonly { readonly index: number; readonly id: number | null; readonly value: string }[],
  problems: WriteProblems,
): Promise<void> {
  const rows = await manager.query<{ index: number; accession: string; list: string }[]>(
    `SELECT given.index, accession, accessions.list
       FROM jsonb_to_recordset($1::jsonb) AS given (index integer, id integer, value text)
       JOIN accessions ON accession = given.value
      WHERE accessions.list <> $2
        AND NOT EXISTS (SELECT FROM ${kind.list} AS own WHERE own.id = given.id AND own.external_id = accession)
      ORDER BY given.index`,
    [JSON.stringify(given), kind.list],
  );
  for (const { index, accession, list } of rows) {
    problems.add(index, {
      field: 'external_id',
      problem: `must be unique among all kinds of record: ${JSON.stringify(accession)} was given to one of the ${list}`,
    });
  }
}

function valueOf(body: RecordBody, member: string): string | null {
  return ((body as unknown as Record<string, unknown>)[member] as string | null | undefined) ?? null;
}
