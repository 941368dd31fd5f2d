import { Access } from '../access/accesses/access.entity.js';
import { RefusedEntitlement } from '../access/accessreq/refused-entitlement.entity.js';
import { AuditEntry } from '../publishing/audit/audit-entry.entity.js';
import { Cohort, CohortContact, CohortInstitute } from '../records/cohorts/cohort.entity.js';
import { Contact, ContactAffiliation } from '../records/contacts/contact.entity.js';
import { Contract, ContractCustodian } from '../records/contracts/contract.entity.js';
import { PartnerRole, PartnerRoleContact } from '../records/contracts/partner-role.entity.js';
import { DataDeclaration, DataDeclarationCohort } from '../records/datasets/data-declaration.entity.js';
import { Dataset, DatasetCustodian } from '../records/datasets/dataset.entity.js';
import { LegalBasis, LegalBasisDeclaration } from '../records/datasets/legal-basis.entity.js';
import { StorageLocation } from '../records/datasets/storage-location.entity.js';
import { Transfer } from '../records/datasets/transfer.entity.js';
import { UseClassLabel } from '../records/use-classes/use-class-label.entity.js';
import { UseClass, UseCondition } from '../records/datasets/use-condition.entity.js';
import { CohortDocument } from '../records/cohorts/cohort-document.entity.js';
import { ContractDocument } from '../records/contracts/contract-document.entity.js';
import { DatasetDocument } from '../records/datasets/dataset-document.entity.js';
import { PartnerDocument } from '../records/partners/partner-document.entity.js';
import { ProjectDocument } from '../records/projects/project-document.entity.js';
import { ServiceSetting } from '../publishing/documents/service-setting.entity.js';
import { Accession } from '../publishing/writing/accession.entity.js';
import { DocumentState, ViewRecord, ViewVersion } from '../publishing/documents/view.entity.js';
import { Endpoint, EndpointKey, ImportedEndpointKey } from '../access/endpoints/endpoint.entity.js';
import { Exposure } from '../access/exposures/exposure.entity.js';
import { Grant } from '../access/grants/grant.entity.js';
import { Partner } from '../records/partners/partner.entity.js';
import { Platform } from '../records/platforms/platform.entity.js';
import {
  Project,
  ProjectContact,
  ProjectCustodian,
  ProjectPersonnel,
  Publication,
} from '../records/projects/project.entity.js';
import { FailureCount } from '../people/rate-limits/failure-count.entity.js';
import { PasswordLink } from '../people/password-links/password-link.entity.js';
import { RecoveryCode, SecondFactor } from '../people/second-factor/second-factor.entity.js';
import { ServiceKey, ServiceKeySecret } from '../access/service-keys/service-key.entity.js';
import { Session } from '../people/sessions/session.entity.js';
import { Term } from '../records/terms/term.entity.js';
import { User } from '../people/users/user.entity.js';
import { EventDelivery, EventSubscription, OutgoingEvent } from './events/event.entity.js';
import { AccountSync } from '../people/account-sync/account-sync.entity.js';

/** The entities of all tables. */
export const entities = [
  AccountSync,
  ServiceSetting,
  Accession,
  RefusedEntitlement,
  User,
  Partner,
  Contact,
  ContactAffiliation,
  Cohort,
  CohortContact,
  CohortInstitute,
  Platform,
  Project,
  ProjectCustodian,
  ProjectPersonnel,
  ProjectContact,
  Publication,
  Dataset,
  DatasetCustodian,
  DataDeclaration,
  DataDeclarationCohort,
  UseClass,
  UseClassLabel,
  UseCondition,
  LegalBasis,
  LegalBasisDeclaration,
  StorageLocation,
  Transfer,
  Contract,
  ContractCustodian,
  PartnerRole,
  PartnerRoleContact,
  Endpoint,
  EndpointKey,
  ImportedEndpointKey,
  Exposure,
  Grant,
  Access,
  Term,
  AuditEntry,
  ProjectDocument,
  DatasetDocument,
  ContractDocument,
  PartnerDocument,
  CohortDocument,
  DocumentState,
  ViewRecord,
  ViewVersion,
  Session,
  PasswordLink,
  SecondFactor,
  RecoveryCode,
  ServiceKey,
  ServiceKeySecret,
  FailureCount,
  EventSubscription,
  OutgoingEvent,
  EventDelivery,
];
