import type { Role } from '@rdc/auth';
import { contactTypes } from '../../../records/contacts/contact.entity.js';
import { textOf, textsOf } from '../raw-values.js';
import { linkedIds, rowMembers, type SourceKind } from './source-kind.js';

const roleByGroup: ReadonlyMap<string, Role> = new Map([
  ['daisy-data-steward', 'data_steward'],
  ['daisy-auditors', 'auditor'],
  ['daisy-legal', 'legal'],
]);

/** The group of principal investigators. */
const investigators = 'daisy-vip';

/** DAISY's account for callers without an account. */
const anonymous = 'AnonymousUser';

/** The start of the names of DAISY's technical accounts. */
const technical = 'system::';

/** Users with their groups. Passwords are not read. */
export const users: SourceKind = {
  kind: 'user',
  resource: 'users',
  row: `to_jsonb(record) - ARRAY['password', 'api_key', 'last_login'] || jsonb_build_object('groups',
    ARRAY(SELECT team.name FROM core_user_groups AS link JOIN auth_group AS team ON team.id = link.group_id
      WHERE link.user_id = record.id ORDER BY team.name))`,
  hidden: `jsonb_build_object(
    'key', record.api_key,
    'keeps_key', row_number() OVER (PARTITION BY record.api_key ORDER BY first_name, last_name, id) = 1,
    'keeps_email', row_number() OVER (PARTITION BY lower(record.email) ORDER BY oidc_id IS NULL, NOT is_active, id) = 1)`,
  from: 'core_user AS record ORDER BY record.id',
  convert(record, conversion, hidden) {
    const { raw } = record;
    const username = textOf(raw['username']) ?? '';
    if (username === anonymous) return { leftOut: 'the account of DAISY for callers without an account' };
    const isTechnical = username.startsWith(technical);
    const groups = textsOf(raw['groups']);
    for (const group of groups) {
      if (group !== investigators && !roleByGroup.has(group)) record.note(`the group "${group}" was not imported`);
    }
    const roles = groups.flatMap((group) => roleByGroup.get(group) ?? []);
    if (raw['is_superuser'] === true) record.note('a superuser received the role admin');
    if (hidden['keeps_key'] === false) record.note('the key belongs to another user too and was not imported');
    const key = isTechnical || hidden['keeps_key'] === false ? null : textOf(hidden['key']);
    const email = textOf(raw['email']);
    if (email !== null && hidden['keeps_email'] === false) {
      record.note('the e-mail address belongs to another user too and was not imported');
    }
    return {
      id: Number(raw['id']),
      created_at: raw['date_joined'],
      subject: textOf(raw['oidc_id']),
      email: hidden['keeps_email'] === false ? null : email,
      first_name: textOf(raw['first_name']) ?? '',
      last_name: textOf(raw['last_name']) ?? '',
      roles: [...(raw['is_superuser'] === true ? ['admin'] : []), ...roles],
      is_principal_investigator: groups.includes(investigators),
      active: raw['is_active'] === true && !isTechnical,
      technical: isTechnical,
      key_hash: key === null ? null : conversion.hash(key),
    };
  },
};

/** External contacts with their partners. */
export const contacts: SourceKind = {
  kind: 'contact',
  resource: 'contacts',
  row: `to_jsonb(record) || jsonb_build_object('type', type.name, 'partners', ${linkedIds(
    { table: 'core_contact_partners', parent: 'contact_id', value: 'partner_id' },
    'core_partner',
    'linked.name',
  )})`,
  from: 'core_contact AS record JOIN core_contacttype AS type ON type.id = record.type_id ORDER BY record.id',
  convert(record, conversion) {
    const { raw } = record;
    return {
      ...rowMembers(record),
      first_name: textOf(raw['first_name']) ?? '',
      last_name: textOf(raw['last_name']) ?? '',
      email: textOf(raw['email']),
      address: textOf(raw['address']),
      phone: textOf(raw['phone']),
      type: record.wordOf(raw['type'], contactTypes, 'Other', 'type'),
      subject: textOf(raw['oidc_id']),
      partners: conversion.present(record, 'partner', raw['partners'], 'partner'),
    };
  },
};
