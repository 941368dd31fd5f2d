import { loadSettings, type Environment, type Settings } from '@rdc/settings';
import { AccessRequestSettings } from '../access/accessreq/accessreq.settings.js';
import { ProvisionerKeySettings } from '../access/service-keys/provisioner-key.settings.js';
import { IdentityProviderSettings } from '../people/identity-provider/identity-provider.settings.js';
import { PasswordLinksSettings } from '../people/password-links/password-links.settings.js';
import { RateLimitsSettings } from '../people/rate-limits/rate-limits.settings.js';
import { SessionSettings } from '../people/sessions/session.settings.js';
import { DatabaseSettings } from '../platform/database/database.settings.js';
import { SecretsSettings } from '../platform/secrets/secrets.settings.js';
import { HttpSettings } from '../platform/settings/http.settings.js';
import { DocumentsSettings } from '../publishing/documents/documents.settings.js';
import { CentreSettings } from '../records/linked-data/centre.settings.js';
import { AccessionsSettings } from '../publishing/writing/accessions.settings.js';
import { EventsSettings } from './events/events.settings.js';

/** The settings classes of catalog-api, one for each feature that has settings. */
export const settingsClasses = [
  HttpSettings,
  SessionSettings,
  PasswordLinksSettings,
  RateLimitsSettings,
  DatabaseSettings,
  SecretsSettings,
  DocumentsSettings,
  CentreSettings,
  AccessionsSettings,
  ProvisionerKeySettings,
  AccessRequestSettings,
  IdentityProviderSettings,
  EventsSettings,
] as const;

/** Reads the settings from an environment. @throws InvalidSettingsError if any setting is invalid */
export function catalogSettings(environment: Environment = process.env): Settings {
  return loadSettings(settingsClasses, environment);
}
