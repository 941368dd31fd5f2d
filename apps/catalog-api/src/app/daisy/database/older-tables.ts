/** The SQL of tables in their present form, for a DAISY that has not yet run the migration with the number. */
interface OlderTables {
  readonly before: number;
  readonly tables: Readonly<Record<string, string>>;
}

const deprecation = 'NULL::timestamptz AS deprecated_at, NULL::text AS deprecation_reason, false AS is_deprecated';

/** The older forms of DAISY's tables. The log of changes contained JSON as text. */
const olderTables: readonly OlderTables[] = [
  {
    before: 38,
    tables: {
      core_access:
        'SELECT *, NULL::varchar AS application_external_id, NULL::integer AS application_id FROM core_access',
    },
  },
  {
    before: 39,
    tables: { core_exposure: `SELECT *, ${deprecation}, false AS request_pdf_enabled FROM core_exposure` },
  },
  {
    before: 44,
    tables: {
      core_conditionclass: 'SELECT * FROM core_restrictionclass',
      core_usecondition: `SELECT *, restriction_class AS condition_class, use_restriction_rule AS use_condition_rule
        FROM core_userestriction`,
      core_contract: 'SELECT *, NULL::varchar AS name FROM core_contract',
      core_dataset: 'SELECT *, NULL::bigint AS dac_id FROM core_dataset',
      core_dac: 'SELECT NULL::bigint AS id, NULL::bigint AS contract_id WHERE false',
      core_dacmembership: `SELECT NULL::bigint AS id, NULL::bigint AS dac_id, NULL::bigint AS contact_id, NULL::text AS remark
        WHERE false`,
      core_dac_local_custodians: 'SELECT NULL::bigint AS dac_id, NULL::bigint AS user_id WHERE false',
    },
  },
  {
    before: 45,
    tables: {
      core_exposure: 'SELECT *, false AS request_pdf_enabled FROM core_exposure',
      auditlog_logentry: `SELECT id, object_pk, action, nullif(changes::text, '')::jsonb AS changes, timestamp, actor_id,
        content_type_id, remote_addr FROM auditlog_logentry`,
    },
  },
];

/**
 * Returns a statement for the tables of an older DAISY. The statement reads each older table in its present form,
 * because a name in `WITH` hides the table with the same name.
 *
 * @param migration the number of the last migration of DAISY's own tables
 */
export function forOlderTables(statement: string, migration: number): string {
  const forms = new Map<string, string>();
  for (const { before, tables } of olderTables) {
    for (const [table, form] of Object.entries(tables)) {
      if (migration < before && !forms.has(table)) forms.set(table, form);
    }
  }
  if (forms.size === 0) return statement;
  const shadows = [...forms].map(([table, form]) => `${table} AS NOT MATERIALIZED (${form})`).join(', ');
  const [, ownTables, rest] = /^(\s*WITH\s)?([^]*)$/.exec(statement) ?? [];
  return `WITH ${shadows}${ownTables === undefined ? '' : ','} ${rest ?? ''}`;
}
