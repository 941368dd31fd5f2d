import { accessStatuses } from '../../../access/accesses/access.entity.js';
import { commandActor } from '../../../publishing/audit/command-actor.js';
import { textOf, type RawRecord } from '../raw-values.js';
import { startOfDay } from './daisy-database.js';
import { rowMembers, type SourceKind } from './source-kind.js';

/** Data catalogs. Their keys are stored as hashes. */
export const endpoints: SourceKind = {
  kind: 'endpoint',
  resource: 'endpoints',
  row: `to_jsonb(record) - 'api_key'`,
  from: 'core_endpoint AS record ORDER BY record.id',
  convert(record, conversion) {
    const { raw } = record;
    return {
      ...rowMembers(record),
      name: raw['name'],
      url_pattern: raw['url_pattern'],
      ...conversion.endpointKeys(Number(raw['id'])),
    };
  },
};

/** Exposures, active or deprecated. A deprecated exposure without a date was deprecated at its last change. */
export const exposures: SourceKind = {
  kind: 'exposure',
  resource: 'exposures',
  row: 'to_jsonb(record)',
  from: 'core_exposure AS record ORDER BY record.id',
  convert(record, conversion) {
    const { raw } = record;
    const [dataset] = conversion.present(record, 'dataset', [raw['dataset_id']], 'dataset');
    const [endpoint] = conversion.present(record, 'endpoint', [raw['endpoint_id']], 'endpoint');
    if (dataset === undefined || endpoint === undefined) return { leftOut: 'its dataset or endpoint is left out' };
    if (raw['is_deprecated'] === true && raw['deprecated_at'] === null) {
      record.note('the date of the withdrawal is unknown, so it became the date of the last change');
    }
    return {
      ...rowMembers(record),
      dataset_id: dataset,
      endpoint_id: endpoint,
      form_id: raw['form_id'],
      form_name: textOf(raw['form_name']),
      request_pdf_enabled: raw['request_pdf_enabled'],
      deprecated_at: raw['is_deprecated'] === true ? (raw['deprecated_at'] ?? raw['updated']) : null,
      deprecation_notes: textOf(raw['deprecation_reason']),
    };
  },
};

/** The SQL of the permissions of users on single records, given to the user or to a group of the user. */
export const objectPermissions = `
  SELECT permission.user_id, 'project' AS model, permission.content_object_id AS object_id, kind.codename
    FROM core_projectuserobjectpermission AS permission JOIN auth_permission AS kind ON kind.id = permission.permission_id
  UNION SELECT permission.user_id, 'dataset', permission.content_object_id, kind.codename
    FROM core_datasetuserobjectpermission AS permission JOIN auth_permission AS kind ON kind.id = permission.permission_id
  UNION SELECT permission.user_id, type.model, permission.object_pk::bigint, kind.codename
    FROM guardian_userobjectpermission AS permission JOIN auth_permission AS kind ON kind.id = permission.permission_id
    JOIN django_content_type AS type ON type.id = permission.content_type_id
   WHERE type.app_label = 'core' AND type.model IN ('project', 'dataset', 'contract') AND permission.object_pk ~ '^[0-9]{1,18}$'
  UNION SELECT member.user_id, 'project', permission.content_object_id, kind.codename
    FROM core_projectgroupobjectpermission AS permission JOIN auth_permission AS kind ON kind.id = permission.permission_id
    JOIN core_user_groups AS member USING (group_id)
  UNION SELECT member.user_id, 'dataset', permission.content_object_id, kind.codename
    FROM core_datasetgroupobjectpermission AS permission JOIN auth_permission AS kind ON kind.id = permission.permission_id
    JOIN core_user_groups AS member USING (group_id)
  UNION SELECT member.user_id, type.model, permission.object_pk::bigint, kind.codename
    FROM guardian_groupobjectpermission AS permission JOIN auth_permission AS kind ON kind.id = permission.permission_id
    JOIN core_user_groups AS member USING (group_id) JOIN django_content_type AS type ON type.id = permission.content_type_id
   WHERE type.app_label = 'core' AND type.model IN ('project', 'dataset', 'contract') AND permission.object_pk ~ '^[0-9]{1,18}$'`;

/**
 * The permission *protected* on one record, of users who are not custodians of the record. The permission of a group
 * becomes one grant for each member. Permissions of removed records are omitted, as in DAISY.
 */
export const grants: SourceKind = {
  kind: 'grant',
  resource: 'grants',
  row: `jsonb_build_object('id', row_number() OVER (ORDER BY model, object_id, user_id),
    'user_id', user_id, 'model', model, 'object_id', object_id)`,
  from: `(${objectPermissions}) AS permission
    WHERE codename = 'protected_' || model
      AND NOT EXISTS (SELECT FROM core_project_local_custodians AS link
        WHERE model = 'project' AND link.project_id = object_id AND link.user_id = permission.user_id)
      AND NOT EXISTS (SELECT FROM core_dataset_local_custodians AS link
        WHERE model = 'dataset' AND link.dataset_id = object_id AND link.user_id = permission.user_id)
      AND NOT EXISTS (SELECT FROM core_contract_local_custodians AS link
        WHERE model = 'contract' AND link.contract_id = object_id AND link.user_id = permission.user_id)
      AND CASE model WHEN 'project' THEN EXISTS (SELECT FROM core_project WHERE id = object_id)
        WHEN 'dataset' THEN EXISTS (SELECT FROM core_dataset WHERE id = object_id)
        ELSE EXISTS (SELECT FROM core_contract WHERE id = object_id) END
    ORDER BY model, object_id, user_id`,
  convert(record, conversion) {
    const { raw } = record;
    const model = raw['model'] as 'project' | 'dataset' | 'contract';
    const [user] = conversion.present(record, 'user', [raw['user_id']], 'user');
    const [object] = conversion.present(record, model, [raw['object_id']], model);
    if (user === undefined || object === undefined) return { leftOut: 'its user or record is left out' };
    return { id: Number(raw['id']), user_id: user, [`${model}_id`]: object, granted_by: commandActor };
  },
};

/** Accesses of users and contacts. An access without a person is a note on a storage location. */
export const accesses: SourceKind = {
  kind: 'access',
  resource: 'accesses',
  row: `to_jsonb(record) || jsonb_build_object(
    'starts_at', ${startOfDay('record.granted_on')},
    'ends_at', ${startOfDay('record.grant_expires_on + 1')},
    'locations', ARRAY(SELECT datalocation_id FROM core_access_defined_on_locations
      WHERE access_id = record.id ORDER BY datalocation_id))`,
  hidden: `jsonb_build_object('subject', coalesce(person.oidc_id, contact.oidc_id), 'keeps_application', row_number() OVER (
    PARTITION BY record.application_id, record.dataset_id, coalesce(person.oidc_id, contact.oidc_id)
    ORDER BY record.status <> 'active', record.grant_expires_on DESC NULLS FIRST, record.id DESC) = 1)`,
  from: `core_access AS record LEFT JOIN core_user AS person ON person.id = record.user_id
    LEFT JOIN core_contact AS contact ON contact.id = record.contact_id ORDER BY record.id`,
  convert(record, conversion, hidden) {
    const { raw } = record;
    const [user] = conversion.present(record, 'user', [raw['user_id']], 'user');
    const [contact] = conversion.present(record, 'contact', [raw['contact_id']], 'contact');
    const [dataset] = conversion.present(record, 'dataset', [raw['dataset_id']], 'dataset');
    if (raw['user_id'] === null && raw['contact_id'] === null) {
      return { leftOut: 'it names no person; its notes are kept with its storage locations' };
    }
    if (dataset === undefined || (user === undefined && contact === undefined)) {
      return { leftOut: 'its dataset or person is left out' };
    }
    const application = applicationOf(record, hidden['keeps_application'] === true);
    if (typeof raw['project_id'] === 'number') record.note('the limit to a project is in the audit trail');
    return {
      ...rowMembers(record),
      dataset_id: dataset,
      user_id: user ?? null,
      contact_id: contact ?? null,
      application,
      subject: application === null ? null : textOf(hidden['subject']),
      status: record.wordOf(raw['status'], accessStatuses, 'precreated', 'status'),
      granted_at: raw['starts_at'],
      expires_at: raw['ends_at'],
      notes: notesOf(record),
    };
  },
};

/** Returns the number of the application. One person has one access to a dataset by one application. */
function applicationOf(record: RawRecord, isFirst: boolean): unknown {
  const application = record.raw['application_id'];
  if (application === null || isFirst) return application;
  record.note('another access has the same application, dataset and person, so this access lost its application');
  return null;
}

/** Returns the notes of an access. The application number of the access-request system is their last line. */
function notesOf({ raw }: RawRecord): string | null {
  const number = textOf(raw['application_external_id']);
  const lines = [textOf(raw['access_notes']), number === null ? null : `Application: ${number}`];
  return lines.filter((line) => line !== null).join('\n') || null;
}
