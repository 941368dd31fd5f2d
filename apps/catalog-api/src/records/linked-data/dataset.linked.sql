-- Builds the stored JSON-LD of datasets in DCAT-AP and schema.org, with IRIs relative to the base of the document. Members
-- that depend on the caller (dates of publication, landing pages, distribution, organisations) are added when a document is
-- read. The JSON-LD describes the data and, by codes, the legal basis and the conditions of use. It contains no person,
-- storage, contract or free note on legal bases or conditions. The facts of HealthDCAT-AP that a steward states are in the
-- member `healthdcat` of the metadata.
-- $1: ids, or null for all datasets. The rows of `term` are inserted from health-vocabulary.ts.
WITH term (list, code, scheme, title, label) AS (VALUES $vocabularies),
concept AS (
  SELECT list, code, json_build_object(
      '@id', scheme || '/' || code,
      '@type', 'skos:Concept',
      'skos:prefLabel', label,
      'skos:inScheme', json_build_object('@id', scheme, '@type', 'skos:ConceptScheme', 'dct:title', title)
    ) AS node
  FROM term
)
SELECT dataset.id, json_strip_nulls(row_to_json(document)) AS linked
FROM datasets AS dataset
LEFT JOIN projects AS project ON project.id = dataset.project_id
CROSS JOIN LATERAL (
  SELECT
    'api/dcat/datasets/' || iri_segment(coalesce(dataset.external_id, dataset.id::text)) AS iri,
    coalesce(nullif(dataset.description, ''), dataset.name) AS description,
    'urn:uuid:' || dataset.uuid AS uuid,
    dataset.metadata -> 'healthdcat' AS stated,
    (SELECT json_agg(keyword ORDER BY keyword) FROM (
        SELECT unnest(data_types) AS keyword FROM data_declarations WHERE dataset_id = dataset.id
        UNION
        SELECT jsonb_path_query(dataset.metadata, 'lax $.keywords[*] ? (@.type() == "string")') #>> '{}'
      ) AS named) AS keywords,
    (SELECT json_agg(json_build_object('@id', iri) ORDER BY iri) FROM (
        SELECT term_iri(jsonb_path_query(dataset.metadata, 'lax $.terms[*] ? (@.type() == "string")') #>> '{}') AS iri
        UNION
        SELECT term_iri((regexp_matches(condition.use_class_note, '\m[A-Za-z]+:[0-9]+\M', 'g'))[1])
        FROM data_declarations AS declaration
        JOIN use_conditions AS condition ON condition.data_declaration_id = declaration.id
        WHERE declaration.dataset_id = dataset.id AND condition.use_class = 'DS'
      ) AS named WHERE iri IS NOT NULL) AS terms,
    (SELECT json_agg(json_build_object('@id', 'obo:' || duo) ORDER BY duo) FROM (
        SELECT DISTINCT class.duo
        FROM data_declarations AS declaration
        JOIN use_conditions AS condition ON condition.data_declaration_id = declaration.id
        JOIN use_classes AS class ON class.code = condition.use_class
        WHERE declaration.dataset_id = dataset.id AND condition.use_condition_rule <> 'PROHIBITION'
      ) AS allowed WHERE duo IS NOT NULL) AS uses,
    ARRAY(SELECT DISTINCT unnest(legal_basis_codes) FROM legal_bases WHERE dataset_id = dataset.id) AS legal_bases,
    ARRAY(SELECT DISTINCT unnest(personal_data_codes) FROM legal_bases WHERE dataset_id = dataset.id) AS personal_data
  OFFSET 0 -- forces Postgres to compute each column once, although each is used several times
) AS own
CROSS JOIN LATERAL (
  SELECT
    chosen.*,
    jsonb_path_query_first(own.stated, 'lax $.structured ? (@.type() == "boolean")') AS is_structured,
    -- Variables without a name, title, description or datatype are omitted.
    (SELECT json_agg(json_build_object(
          '@type', 'csvw:Column',
          'csvw:name', variable ->> 'name',
          'csvw:title', coalesce(variable ->> 'title', variable ->> 'name'),
          'dct:description', variable ->> 'description',
          'csvw:datatype', variable ->> 'datatype'
        ) ORDER BY position)
      FROM jsonb_path_query(own.stated, 'lax $.variables[*] ? (@.name.type() == "string"
          && @.description.type() == "string" && @.datatype.type() == "string")')
        WITH ORDINALITY AS given (variable, position)) AS columns
  FROM (
    SELECT
      json_agg(node ORDER BY code) FILTER (WHERE list = 'categories') AS categories,
      json_agg(node ORDER BY code) FILTER (WHERE list = 'themes') AS themes,
      json_agg(node ORDER BY code) FILTER (WHERE list = 'dataset_types') AS types
    FROM concept
    WHERE jsonb_exists(own.stated -> list, code)
      OR (list = 'dataset_types' AND code = 'PERSONAL_DATA' AND own.personal_data <> '{}'
        AND NOT jsonb_path_exists(own.stated, 'lax $.dataset_types[*] ? (@.type() == "string")') IS TRUE)
  ) AS chosen
  OFFSET 0
) AS health
CROSS JOIN LATERAL (
  SELECT
    own.iri AS "@id",
    '{dcat:Dataset,schema:Dataset}'::text[] AS "@type",
    dataset.name AS "dct:title",
    dataset.name AS "schema:name",
    own.description AS "dct:description",
    own.description AS "schema:description",
    coalesce(dataset.external_id, own.uuid) AS "dct:identifier",
    array_remove(ARRAY[dataset.external_id, own.uuid], NULL) AS "schema:identifier",
    (SELECT other FROM (SELECT 'adms:Identifier' AS "@type", dataset.other_external_id AS "skos:notation") AS other
      WHERE dataset.other_external_id <> '') AS "adms:identifier",
    own.keywords AS "dcat:keyword",
    own.keywords AS "schema:keywords",
    (SELECT json_agg(json_build_object(
          '@id', 'theme:' || code, '@type', 'skos:Concept', 'skos:prefLabel', label,
          'skos:inScheme', json_build_object('@id', 'http://publications.europa.eu/resource/authority/data-theme')
        ))
      FROM (VALUES ('TECH', 'Science and technology'), ('HEAL', 'Health')) AS theme (code, label)
      WHERE code = 'TECH' OR health.categories IS NOT NULL OR own.personal_data && '{Health,Genetic}' OR EXISTS (
        SELECT FROM data_declaration_cohorts AS link
        JOIN data_declarations AS declaration ON declaration.id = link.data_declaration_id
        WHERE declaration.dataset_id = dataset.id
      )) AS "dcat:theme",
    health.types AS "dct:type",
    health.categories AS "health:healthCategory",
    health.themes AS "health:healthTheme",
    health.is_structured AS "health:hasStructuredData",
    CASE WHEN health.columns IS NOT NULL THEN json_build_object(
      '@id', own.iri || '#variables', '@type', 'csvw:TableGroup', 'dct:title', dataset.name,
      'csvw:table', json_build_object(
        '@id', own.iri || '#table', '@type', 'csvw:Table', 'dct:title', dataset.name, 'csvw:column', health.columns
      )
    ) END AS "health:hasVariables",
    (SELECT json_build_object('@type', 'dct:ProvenanceStatement', 'rdfs:label', text)
      FROM (SELECT nullif(jsonb_path_query_first(own.stated, 'lax $.provenance ? (@.type() == "string")') #>> '{}', '') AS text) AS given
      WHERE text IS NOT NULL) AS "dct:provenance",
    (SELECT json_build_object('@id', own.iri || '#purpose', '@type', 'dpv:Purpose', 'dct:description', text)
      FROM (SELECT jsonb_path_query_first(own.stated, 'lax $.purpose ? (@.type() == "string")') #>> '{}' AS text) AS given WHERE text <> '') AS "dpv:hasPurpose",
    nullif(jsonb_path_query_first(own.stated, 'lax $.population ? (@.type() == "string")') #>> '{}', '') AS "health:populationCoverage",
    jsonb_path_query_first(own.stated, 'lax $.min_age ? (@ >= 0 && @ % 1 == 0 && @ < 1000)')::integer
      AS "health:minTypicalAge",
    jsonb_path_query_first(own.stated, 'lax $.max_age ? (@ >= 0 && @ % 1 == 0 && @ < 1000)')::integer
      AS "health:maxTypicalAge",
    (SELECT json_agg(json_build_object(
          '@id', 'gdpr:A6-1-' || substr(code, 5, 1), '@type', 'dpv:LegalBasis'
        ) ORDER BY code)
      FROM unnest(own.legal_bases) AS code) AS "dpv:hasLegalBasis",
    (SELECT json_agg(json_build_object('@id', 'personal:' || concept, '@type', 'dpv:PersonalData') ORDER BY concept)
      FROM (VALUES ('Health', 'MedicalHealth'), ('Genetic', 'Genetic'), ('Biometric', 'Biometric'), ('Race', 'Race'),
        ('Sexual orientation', 'SexualPreference'), ('Convictions', 'CriminalConviction')) AS kind (code, concept)
      WHERE code = ANY (own.personal_data)) AS "dpv:hasPersonalData",
    -- The storage of the dataset ends when the storage of the last part ends.
    (SELECT json_build_object('@type', 'dct:PeriodOfTime', 'dcat:endDate', max(storage_end_date)::text)
      FROM data_declarations WHERE dataset_id = dataset.id
      HAVING bool_and(storage_end_date IS NOT NULL)) AS "health:retentionPeriod",
    own.terms AS "dct:subject",
    own.terms AS "schema:about",
    -- NON_PUBLIC if any declaration has no access category, else the rights of the strictest declaration.
    (SELECT json_build_object('@id', 'access:' || CASE
          WHEN bool_and(access_category IS NOT NULL) IS NOT TRUE THEN 'NON_PUBLIC'
          WHEN bool_and(access_category = 'open_access') THEN 'PUBLIC'
          ELSE 'RESTRICTED'
        END, '@type', 'dct:RightsStatement',
        'skos:inScheme', json_build_object('@id', 'http://publications.europa.eu/resource/authority/access-right'))
      FROM data_declarations WHERE dataset_id = dataset.id) AS "dct:accessRights",
    own.uses AS "schema:usageInfo",
    -- One policy per declaration with conditions, and in it one rule per condition.
    (SELECT json_agg(policy ORDER BY number) FROM (
        SELECT row_number() OVER (ORDER BY position, id) AS number, id, title
        FROM data_declarations WHERE dataset_id = dataset.id
      ) AS declaration
      CROSS JOIN LATERAL (
        SELECT
          own.iri || '#declaration-' || number AS "@id",
          'odrl:Set' AS "@type",
          declaration.title AS "dct:title",
          json_agg(rule) FILTER (WHERE kind = 'odrl:Permission') AS "odrl:permission",
          json_agg(rule) FILTER (WHERE kind = 'odrl:Prohibition') AS "odrl:prohibition",
          json_agg(rule) FILTER (WHERE kind = 'odrl:Duty') AS "odrl:obligation"
        FROM (
          SELECT kind, json_build_object(
              '@type', kind,
              'rdfs:label', class.label,
              'dct:description', nullif(condition.use_class_note, ''),
              'odrl:target', own.iri,
              'odrl:action', 'odrl:use',
              'odrl:constraint', json_build_object(
                '@type', 'odrl:Constraint',
                'odrl:leftOperand', 'odrl:purpose',
                'odrl:operator', 'odrl:isA',
                'odrl:rightOperand',
                CASE WHEN class.duo IS NULL THEN to_json(class.label) ELSE json_build_object('@id', 'obo:' || class.duo) END
              )
            ) AS rule
          FROM use_conditions AS condition
          JOIN labelled_use_classes AS class ON class.code = condition.use_class
          CROSS JOIN LATERAL (
            SELECT CASE condition.use_condition_rule
              WHEN 'PROHIBITION' THEN 'odrl:Prohibition' WHEN 'OBLIGATION' THEN 'odrl:Duty' ELSE 'odrl:Permission'
            END AS kind
          ) AS kinds
          WHERE condition.data_declaration_id = declaration.id
          ORDER BY condition.position, condition.id
        ) AS rules
        HAVING count(*) > 0
      ) AS policy) AS "odrl:hasPolicy",
    CASE WHEN project.id IS NOT NULL THEN json_build_object(
      '@id', 'api/dcat/projects/' || iri_segment(coalesce(project.external_id, project.id::text)),
      '@type', '{prov:Activity,foaf:Project,schema:ResearchProject}'::text[]
    ) END AS "prov:wasGeneratedBy",
    jsonb_path_query_first(dataset.metadata, 'lax $.number_of_records ? (@ >= 0 && @ % 1 == 0 && @ < 1e15)')::bigint
      AS "health:numberOfRecords",
    jsonb_path_query_first(dataset.metadata, 'lax $.number_of_individuals ? (@ >= 0 && @ % 1 == 0 && @ < 1e15)')::bigint
      AS "health:numberOfUniqueIndividuals"
) AS document
WHERE $1::integer[] IS NULL OR dataset.id = ANY ($1::integer[])
