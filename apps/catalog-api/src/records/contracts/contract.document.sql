-- Builds the stored documents of contracts, one row per contract. The order of the members is part of the interface.
-- $1: ids, or null for all contracts. $2: the name of the home organisation, or null.
SELECT
  contract.id,
  contract.created_at,
  contract.source,
  row_to_json(document) AS body
FROM contracts AS contract
CROSS JOIN LATERAL (
  SELECT
    contract.id,
    contract.name,
    nullif(contract.comments, '') AS comments,
    contract.project_id,
    array_to_json(ARRAY(
      SELECT custodian FROM (
        SELECT exported_name(users.first_name, users.last_name) AS first_name,
          exported_name(users.last_name, users.first_name) AS last_name,
          nullif(users.email, '') AS email,
          CASE WHEN users.is_principal_investigator THEN 'Principal_Investigator' ELSE 'Researcher' END AS role,
          array_remove(ARRAY[$2::text], NULL) AS affiliations
        FROM contract_custodians AS link
        JOIN users ON users.id = link.user_id
        WHERE link.contract_id = contract.id
        ORDER BY users.last_name, users.first_name, users.id
      ) AS custodian
    )) AS local_custodians,
    array_to_json(ARRAY(
      SELECT role FROM (
        SELECT
          partner.name AS partner,
          role.roles AS partner_roles,
          nullif(role.comments, '') AS comments,
          array_to_json(ARRAY(
            SELECT contact FROM (
              SELECT
                contact.id::text AS pk,
                nullif(contact.email, '') AS email,
                contact.subject AS oidc_id,
                exported_name(contact.first_name, contact.last_name) AS first_name,
                exported_name(contact.last_name, contact.first_name) AS last_name,
                nullif(contact.address, '') AS address,
                nullif(contact.phone, '') AS phone,
                contact.type,
                array_to_json(ARRAY(
                  SELECT affiliation FROM (
                    SELECT nullif(partner.acronym, '') AS acronym, partner.name
                    FROM contact_affiliations AS affiliation
                    JOIN partners AS partner ON partner.id = affiliation.partner_id
                    WHERE affiliation.contact_id = contact.id
                    ORDER BY affiliation.position, partner.id
                  ) AS affiliation
                )) AS partners
              FROM partner_role_contacts AS link
              JOIN contacts AS contact ON contact.id = link.contact_id
              WHERE link.partner_role_id = role.id
              ORDER BY link.position, contact.id
            ) AS contact
          )) AS contacts
        FROM partner_roles AS role
        JOIN partners AS partner ON partner.id = role.partner_id
        WHERE role.contract_id = contract.id
        ORDER BY role.position, role.id
      ) AS role
    )) AS partners
) AS document
WHERE $1::integer[] IS NULL OR contract.id = ANY ($1::integer[])
