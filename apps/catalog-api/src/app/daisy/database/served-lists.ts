import { objectPermissions } from './sharing.js';

/** The records of one list that one caller reads. */
export interface ServedList {
  /** `endpoint:<id>` or `user:<id>`. */
  readonly caller: string;
  readonly list: 'datasets' | 'projects' | 'contracts';
  /** Whether the caller reads every record of the list. `ids` is empty then. */
  readonly everything: boolean;
  readonly ids: readonly number[];
}

/**
 * The lists that DAISY sends to its endpoints and to users with a personal key. The answers of DAISY omit a dataset if a
 * transfer of the dataset has no partner or if a use condition has an unknown class. Every endpoint reads the same
 * contracts: those of projects with an exposed dataset.
 */
export const daisyLists = `
  WITH complete AS MATERIALIZED (
    SELECT id, project_id FROM core_dataset AS dataset
    WHERE NOT EXISTS (SELECT FROM core_share WHERE dataset_id = dataset.id AND partner_id IS NULL)
      AND NOT EXISTS (SELECT FROM core_datadeclaration AS declaration
        JOIN core_usecondition AS condition ON condition.data_declaration_id = declaration.id
        LEFT JOIN core_conditionclass AS class ON class.code = condition.condition_class
        WHERE declaration.dataset_id = dataset.id AND class.id IS NULL)),
  exposed AS MATERIALIZED (SELECT DISTINCT exposure.endpoint_id, exposure.dataset_id, dataset.project_id
    FROM core_exposure AS exposure JOIN core_dataset AS dataset ON dataset.id = exposure.dataset_id),
  base AS MATERIALIZED (SELECT id FROM core_contract WHERE project_id IN (SELECT project_id FROM exposed)),
  held AS MATERIALIZED (SELECT DISTINCT user_id, model, object_id FROM (${objectPermissions}) AS permission
    WHERE codename = 'protected_' || model),
  everything AS MATERIALIZED (
    SELECT member.id AS user_id, kind.model FROM core_user AS member CROSS JOIN (VALUES ('project'), ('dataset'), ('contract')) AS kind (model)
    WHERE member.is_superuser OR EXISTS (SELECT FROM auth_permission AS permission
      WHERE permission.codename = 'protected_' || kind.model AND (
        permission.id IN (SELECT permission_id FROM core_user_user_permissions WHERE user_id = member.id)
        OR permission.id IN (SELECT permission_id FROM auth_group_permissions
          WHERE group_id IN (SELECT group_id FROM core_user_groups WHERE user_id = member.id))))),
  sent AS (
    SELECT 'endpoint:' || endpoint_id AS caller, 'datasets' AS list, dataset_id AS id FROM exposed
      WHERE dataset_id IN (SELECT id FROM complete)
    UNION SELECT 'endpoint:' || endpoint_id, 'projects', project_id FROM exposed WHERE project_id IS NOT NULL
    UNION SELECT 'endpoint:' || endpoint.id, 'contracts', base.id FROM core_endpoint AS endpoint CROSS JOIN base
    UNION SELECT 'user:' || user_id, model || 's', object_id FROM held
      WHERE CASE model WHEN 'dataset' THEN object_id IN (SELECT id FROM complete)
        WHEN 'contract' THEN object_id IN (SELECT id FROM base) ELSE object_id IN (SELECT id FROM core_project) END
      AND (user_id, model) NOT IN (SELECT user_id, model FROM everything)),
  grouped AS (SELECT caller, list, array_agg(id::integer ORDER BY id) AS ids FROM sent GROUP BY caller, list),
  callers AS (
    SELECT 'endpoint:' || id AS caller, NULL::bigint AS user_id FROM core_endpoint
    UNION ALL SELECT 'user:' || id, id FROM core_user
      WHERE is_active AND username <> 'AnonymousUser' AND NOT starts_with(username, 'system::'))
  SELECT callers.caller, kind.model || 's' AS list, coalesce(grouped.ids, '{}') AS ids,
    EXISTS (SELECT FROM everything WHERE everything.user_id = callers.user_id AND everything.model = kind.model) AS everything
  FROM callers CROSS JOIN (VALUES ('dataset'), ('project'), ('contract')) AS kind (model)
  LEFT JOIN grouped ON grouped.caller = callers.caller AND grouped.list = kind.model || 's'
  ORDER BY callers.caller, list`;

/** The lists of the catalog, which it stores for every endpoint and for every user without a role that reads everything. */
export const catalogLists = `
  WITH callers AS (
    SELECT 'endpoint:' || id AS caller, '{}'::text[] AS roles FROM endpoints
    UNION ALL SELECT 'user:' || id, roles FROM users WHERE active),
  grouped AS (
    SELECT view, list, array_agg(record_id ORDER BY record_id) AS ids FROM view_records
    WHERE digest IS NOT NULL AND view IN (SELECT caller FROM callers) GROUP BY view, list)
  SELECT caller, kind.list, coalesce(grouped.ids, '{}') AS ids,
    roles && ARRAY['admin', 'data_steward', 'auditor'] OR (kind.list = 'contracts' AND roles && ARRAY['legal']) AS everything
  FROM callers CROSS JOIN (VALUES ('datasets'), ('projects'), ('contracts')) AS kind (list)
  LEFT JOIN grouped ON grouped.view = caller AND grouped.list = kind.list`;

/** The datasets that DAISY reports as permitted for each person. The accesses of a user hide those of a contact. */
export const daisyPermissions = `
  WITH person AS (
    SELECT oidc_id AS subject, id AS user_id, NULL::bigint AS contact_id FROM core_user WHERE oidc_id <> ''
    UNION ALL
    SELECT oidc_id, NULL, id FROM core_contact AS contact
    WHERE oidc_id <> '' AND NOT EXISTS (SELECT FROM core_user WHERE core_user.oidc_id = contact.oidc_id))
  SELECT person.subject, ARRAY(
    SELECT DISTINCT dataset.elu_accession::text COLLATE "C" FROM core_access AS access
    JOIN core_dataset AS dataset ON dataset.id = access.dataset_id
    WHERE (access.user_id = person.user_id OR access.contact_id = person.contact_id) AND access.status = 'active'
      AND (access.grant_expires_on IS NULL
        OR access.grant_expires_on >= (now() AT TIME ZONE current_setting('daisy.time_zone'))::date)
      AND dataset.elu_accession IS NOT NULL
      AND EXISTS (SELECT FROM core_exposure WHERE dataset_id = dataset.id)
    ORDER BY 1) AS datasets
  FROM person ORDER BY person.subject`;
