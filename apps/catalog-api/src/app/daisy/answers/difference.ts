/** A value that differs between the answers of a DAISY and the catalog. `undefined` is a member that is not sent. */
export interface Difference {
  /** The caller, the list and the id of the record, e.g. `portal/datasets/3`. */
  readonly record: string;
  /** The members from the record to the value, e.g. `contacts.role`. Empty if the difference concerns the record. */
  readonly path: string;
  readonly daisy: unknown;
  readonly catalog: unknown;
}

/** Receives the results of a comparison. */
export interface Findings {
  /** Counts a compared value. */
  value(isEqual: boolean): void;
  /** Adds a difference that a rule explains. */
  explained(rule: string, difference: Difference): void;
  /** Adds a difference without a rule. */
  unexplained(difference: Difference): void;
}
