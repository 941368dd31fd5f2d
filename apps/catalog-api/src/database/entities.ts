import { Access } from '../accesses/access.entity.js';
import { RefusedEntitlement } from '../accessreq/refused-entitlement.entity.js';
import { AuditEntry } from '../audit/audit-entry.entity.js';
import { Cohort, CohortContact, CohortInstitute } from '../cohorts/cohort.entity.js';
import { Contact, ContactAffiliation } from '../contacts/contact.entity.js';
import { Contract, ContractCustodian } from '../contracts/contract.entity.js';
import { PartnerRole, PartnerRoleContact } from '../contracts/partner-role.entity.js';
import { DataDeclaration, DataDeclarationCohort } from '../datasets/data-declaration.entity.js';
import { Dataset, DatasetCustodian } from '../datasets/dataset.entity.js';
import { LegalBasis, LegalBasisDeclaration } from '../datasets/legal-basis.entity.js';
import { StorageLocation } from '../datasets/storage-location.entity.js';
import { Transfer } from '../datasets/transfer.entity.js';
import { UseClass, UseCondition } from '../datasets/use-condition.entity.js';
import {
  CohortDocument,
  ContractDocument,
  DatasetDocument,
  PartnerDocument,
  ProjectDocument,
} from '../documents/document.entity.js';
import { DocumentState, ViewRecord, ViewVersion } from '../documents/view.entity.js';
import { Endpoint, EndpointKey } from '../endpoints/endpoint.entity.js';
import { Exposure } from '../exposures/exposure.entity.js';
import { Grant } from '../grants/grant.entity.js';
import { Partner } from '../partners/partner.entity.js';
import { Platform } from '../platforms/platform.entity.js';
import {
  Project,
  ProjectContact,
  ProjectCustodian,
  ProjectPersonnel,
  Publication,
} from '../projects/project.entity.js';
import { FailureCount } from '../rate-limits/failure-count.entity.js';
import { PasswordLink } from '../password-links/password-link.entity.js';
import { RecoveryCode, SecondFactor } from '../second-factor/second-factor.entity.js';
import { ServiceKey, ServiceKeySecret } from '../service-keys/service-key.entity.js';
import { Session } from '../sessions/session.entity.js';
import { Term } from '../terms/term.entity.js';
import { User } from '../users/user.entity.js';
import { AccountSync } from '../identity-provider/account-sync.entity.js';

/** Every table of the catalog. */
export const entities = [
  AccountSync,
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
];
