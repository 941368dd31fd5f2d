/** An account that was not imported, with the reason. */
export interface SyncConflict {
  /** The identifier of the account at the identity provider; null if the conflict concerns the whole run. */
  readonly subject: string | null;
  readonly reason: string;
}

/** A person whom a synchronisation deactivates. */
export interface DeactivatedPerson {
  readonly id: number;
  readonly subject: string;
  readonly email: string | null;
  readonly first_name: string;
  readonly last_name: string;
  /** Whether the account no longer exists or is disabled. */
  readonly reason: 'gone' | 'disabled';
}

/** The result of a rehearsed synchronisation, which changed nothing. */
export interface SyncRehearsal extends SyncReport {
  readonly dry_run: true;
  /** The first thousand of the people who would be deactivated. */
  readonly deactivations: readonly DeactivatedPerson[];
}

/** The result of a synchronisation. */
export interface SyncReport {
  readonly provider: string;
  /** The number of accounts that the identity provider listed. */
  readonly fetched: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** The number of people whose account is disabled or no longer exists. */
  readonly deactivated: number;
  /** The number of accounts without an e-mail address, without a verified address, or disabled and never imported. */
  readonly skipped: number;
  readonly conflicts: readonly SyncConflict[];
  readonly duration_ms: number;
}
