import { bodyOf, catalog } from '../../api/client.ts';
import type { components } from '../../api/generated/catalog-api.ts';
import type { ListAnswer } from '../../parts/list-answer.ts';
import type { SearchTexts } from '../../search-texts.ts';

/** One write, as the catalog recorded the write. */
export type AuditEntry = components['schemas']['AuditEntryResponse'];

/** Returns a page of the audit trail, by the parameters of an address. */
export function searchTrail(query: SearchTexts, signal?: AbortSignal): Promise<ListAnswer<AuditEntry>> {
  return bodyOf(catalog.GET('/api/admin/audit', { params: { query: query as never }, signal }));
}
