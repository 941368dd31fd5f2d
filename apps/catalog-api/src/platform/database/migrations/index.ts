import { InitialSchema1790000000000 } from './1-initial-schema.js';
import { AccessRequests1790000100000 } from './2-access-requests.js';
import { Sessions1790000200000 } from './3-sessions.js';
import { AdministrationLists1790000300000 } from './4-administration-lists.js';
import { AccessConfirmation1790000400000 } from './5-access-confirmation.js';
import { RefusedEntitlements1790000600000 } from './6-refused-entitlements.js';
import { ListsThatBeginAtOnce1790000700000 } from './7-lists-that-begin-at-once.js';
import { LinkedData1790000800000 } from './8-linked-data.js';
import { TermEntries1790000900000 } from './9-term-entries.js';
import { RecordLists1790001000000 } from './10-record-lists.js';
import { TrailOfDatasets1790001100000 } from './11-trail-of-datasets.js';
import { TrailByAction1790001200000 } from './12-trail-by-action.js';
import { ContactsByName1790001300000 } from './13-contacts-by-name.js';
import { SearchOfAccesses1790001400000 } from './14-search-of-accesses.js';
import { PartnersByAcronym1790001500000 } from './15-partners-by-acronym.js';
import { LifeOfSessions1790001600000 } from './16-life-of-sessions.js';
import { SecondFactor1790001700000 } from './17-second-factor.js';
import { ServiceKeys1790001800000 } from './18-service-keys.js';
import { Views1790001900000 } from './19-views.js';
import { ImportedEndpointKeys1790002000000 } from './20-imported-endpoint-keys.js';
import { Accessions1790002100000 } from './21-accessions.js';
import { InteroperableRecords1790002200000 } from './22-interoperable-records.js';
import { ConfirmedPeople1790002300000 } from './23-confirmed-people.js';
import { LongTexts1790002400000 } from './24-long-texts.js';
import { ChangeFeed1790003520000 } from './25-change-feed.js';
import { SearchWords1790003579000 } from './26-search-words.js';
import { Events1790003600000 } from './27-events.js';
import { LongNames1790003720000 } from './28-long-names.js';

/** Every migration, oldest first. */
export const migrations = [
  InitialSchema1790000000000,
  AccessRequests1790000100000,
  Sessions1790000200000,
  AdministrationLists1790000300000,
  AccessConfirmation1790000400000,
  RefusedEntitlements1790000600000,
  ListsThatBeginAtOnce1790000700000,
  LinkedData1790000800000,
  TermEntries1790000900000,
  RecordLists1790001000000,
  TrailOfDatasets1790001100000,
  TrailByAction1790001200000,
  ContactsByName1790001300000,
  SearchOfAccesses1790001400000,
  PartnersByAcronym1790001500000,
  LifeOfSessions1790001600000,
  SecondFactor1790001700000,
  ServiceKeys1790001800000,
  Views1790001900000,
  ImportedEndpointKeys1790002000000,
  Accessions1790002100000,
  InteroperableRecords1790002200000,
  ConfirmedPeople1790002300000,
  LongTexts1790002400000,
  ChangeFeed1790003520000,
  SearchWords1790003579000,
  Events1790003600000,
  LongNames1790003720000,
];
