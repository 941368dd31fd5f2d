/** An account that could not be brought in, and why. */
export interface SyncConflict {
  /** Its identifier at the identity provider; null for what concerns the whole run. */
  readonly subject: string | null;
  readonly reason: string;
}

/** What a synchronisation found and did. */
export interface SyncReport {
  readonly provider: string;
  /** Accounts the identity provider listed. */
  readonly fetched: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** People whose account is disabled or gone. */
  readonly deactivated: number;
  /** Accounts that are none of a person: without e-mail, not verified, or disabled and never known. */
  readonly skipped: number;
  readonly conflicts: readonly SyncConflict[];
  readonly duration_ms: number;
}
