import createClient, { type Client } from 'openapi-fetch';
import { connectionTo, throwingErrors, type ConnectionOptions } from './connection.js';
import type { paths } from './generated/catalog-api.js';
import { harvest, type HarvestOptions, type HarvestPage, type ListName, type RecordOf } from './harvest.js';

/** A client of the catalog. */
export class Catalog {
  /** The typed client of all operations. It throws an `ApiError` instead of returning an error. */
  readonly api: Client<paths, 'application/json'>;

  /** @param url the origin of the catalog, without `/api` */
  constructor(url: string, options: ConnectionOptions = {}) {
    this.api = createClient<paths, 'application/json'>(connectionTo(url, options));
    this.api.use(throwingErrors);
  }

  /**
   * Reads the records of a list that changed after `state`, in pages; all records without a state.
   *
   * Store each page, then its `state`. If the program is killed, the next harvest with the stored state continues. If
   * nothing changed, there is no page. A record can be read twice. Records that were removed are not in any page: to find
   * them, harvest without a state from time to time.
   */
  harvest<List extends ListName>(
    list: List,
    options: HarvestOptions = {},
  ): AsyncGenerator<HarvestPage<RecordOf<List>>, void> {
    return harvest(this.api, list, options);
  }
}
