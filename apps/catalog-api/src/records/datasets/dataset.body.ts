/** A condition under which data may be used. */
export interface UseConditionBody {
  readonly use_class: string;
  readonly use_class_note: string | null;
  readonly use_condition_note: string | null;
  readonly use_condition_rule: string;
}

/** A data declaration, which describes one part of a dataset. */
export interface DataDeclarationBody {
  readonly title: string;
  readonly cohorts: readonly { readonly cohort: string | null; readonly cohort_external_id: string | null }[];
  readonly data_types: readonly string[];
  readonly data_types_notes: string | null;
  readonly access_category: string | null;
  readonly access_procedure: string | null;
  readonly subjects_category: string;
  readonly de_identification: string;
  readonly consent_status: string | null;
  readonly has_special_subjects: boolean | null;
  readonly special_subjects_description: string | null;
  readonly embargo_date: string | null;
  readonly storage_end_date: string | null;
  readonly storage_duration_criteria: string | null;
  readonly use_conditions: readonly UseConditionBody[];
}

/** The legal basis of a dataset or of some of its data declarations. */
export interface LegalBasisBody {
  readonly legal_basis_codes: readonly string[];
  readonly personal_data_codes: readonly string[];
  readonly legal_basis_notes: string | null;
  readonly data_declarations: readonly string[];
}

/** A copy of a dataset. */
export interface StorageBody {
  readonly platform: string | null;
  readonly location: string | null;
  readonly category: string;
  readonly accesses: readonly string[];
}

/** A transfer of a dataset to or from a partner. */
export interface TransferBody {
  readonly partner: string | null;
  readonly transfer_details: string | null;
  readonly transfer_date: string | null;
}

/** A dataset as a caller writes it, with the defaults of absent members. */
export interface DatasetBody {
  external_id: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly uuid: string | null;
  readonly other_external_id: string | null;
  readonly project: string | null;
  readonly project_external_id: string | null;
  readonly data_declarations: readonly DataDeclarationBody[];
  readonly legal_bases: readonly LegalBasisBody[];
  readonly storages: readonly StorageBody[];
  readonly transfers: readonly TransferBody[];
  readonly metadata: string;
}
