import { EdgeSettings } from '@rdc/http';

/** The settings of the HTTP service. */
export class HttpSettings extends EdgeSettings {
  override BODY_LIMIT = 16 * 1024 * 1024;

  check(): string[] {
    return this.checkEdge();
  }
}
