/** The plural of each of DAISY's models, as in the audit trail of the catalog. */
const resources = `(VALUES ('access', 'accesses'), ('user', 'users'), ('contact', 'contacts'), ('partner', 'partners'),
  ('cohort', 'cohorts'), ('project', 'projects'), ('dataset', 'datasets'), ('contract', 'contracts'),
  ('endpoint', 'endpoints'), ('exposure', 'exposures'), ('storageresource', 'platforms')) AS known (model, resource)`;

const exposed = `jsonb_build_object('dataset_id', exposure.dataset_id, 'id', exposure.id, 'endpoint', endpoint.name,
  'form_id', exposure.form_id, 'form_name', exposure.form_name, 'request_pdf_enabled', exposure.request_pdf_enabled,
  'released_date', exposure.added`;

/** Returns the SQL of the values before (0) or after (1) a change in DAISY's log. */
function changed(index: 0 | 1): string {
  return `(SELECT jsonb_object_agg(change.key, change.value -> ${String(index)})
    FROM jsonb_each(entry.changes) AS change WHERE jsonb_typeof(change.value) = 'array')`;
}

/**
 * The statement that reads the history of a DAISY, oldest first, as entries of the audit trail: the log of accesses, the
 * log of the administration pages, and the creation and withdrawal of each exposure.
 */
export const historySql = `
  SELECT at, actor, action, resource, record_id, before, after, address FROM (
    SELECT entry.timestamp AS at, entry.actor_id AS actor_id,
      CASE entry.action WHEN 0 THEN 'create' WHEN 1 THEN 'update' WHEN 2 THEN 'remove' ELSE 'read' END AS action,
      coalesce(known.resource, left('daisy.' || type.model, 40)) AS resource, entry.object_pk AS record_id,
      ${changed(0)} AS before, ${changed(1)} AS after, host(entry.remote_addr) AS address
    FROM auditlog_logentry AS entry JOIN django_content_type AS type ON type.id = entry.content_type_id
    LEFT JOIN ${resources} USING (model)
    UNION ALL
    SELECT entry.action_time, entry.user_id,
      CASE entry.action_flag WHEN 1 THEN 'create' WHEN 2 THEN 'update' WHEN 3 THEN 'remove' ELSE 'read' END,
      coalesce(known.resource, left('daisy.' || type.model, 40), 'daisy'), left(coalesce(entry.object_id, ''), 255),
      NULL, jsonb_build_object('name', entry.object_repr, 'change', entry.change_message), NULL
    FROM django_admin_log AS entry LEFT JOIN django_content_type AS type ON type.id = entry.content_type_id
    LEFT JOIN ${resources} USING (model)
    UNION ALL
    SELECT exposure.added, exposure.created_by_id, 'expose', 'exposures', exposure.id::text, NULL,
      ${exposed}, 'deprecated', false), NULL
    FROM core_exposure AS exposure JOIN core_endpoint AS endpoint ON endpoint.id = exposure.endpoint_id
    UNION ALL
    SELECT coalesce(exposure.deprecated_at, exposure.updated), NULL, 'deprecate', 'exposures', exposure.id::text, NULL,
      ${exposed}, 'deprecated', true, 'deprecation_date', exposure.deprecated_at,
        'deprecation_notes', exposure.deprecation_reason), NULL
    FROM core_exposure AS exposure JOIN core_endpoint AS endpoint ON endpoint.id = exposure.endpoint_id
    WHERE exposure.is_deprecated
  ) AS history
  CROSS JOIN LATERAL (SELECT coalesce('user:' || actor_id, 'DAISY') AS actor) AS named
  ORDER BY at, resource, record_id, action`;
