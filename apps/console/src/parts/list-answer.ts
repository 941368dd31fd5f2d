/** A page of a list, as the services return it. */
export interface ListAnswer<Row> {
  readonly items: readonly Row[];
  readonly next_cursor: string | null;
  /** The number of entries on all pages, if the service counts them. */
  readonly total?: number;
}
