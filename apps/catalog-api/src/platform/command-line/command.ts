import type { Settings } from '@rdc/settings';
import type { DataSource } from 'typeorm';

/** The services that a command runs with. */
export interface CommandContext {
  readonly settings: Settings;
  /** Runs work with a separate pool of connections to the catalog's database and closes the pool afterwards. */
  readonly withDataSource: <T>(work: (dataSource: DataSource) => Promise<T>) => Promise<T>;
  /**
   * Like `withDataSource`, for work that changes records.
   *
   * @throws UnknownSchemaError if the database lacks migrations of this version or has newer ones
   * @throws OtherSettingsError if the service started with other settings that are written into records or documents
   * @throws OtherBasisError if another version built the stored documents
   */
  readonly withCatalog: CommandContext['withDataSource'];
  /** Writes one line for the operator. */
  readonly print: (line: string) => void;
}

/** Returns the services for a command. The help requires no settings, so the settings are read only by this call. */
export type OpenContext = () => CommandContext;
