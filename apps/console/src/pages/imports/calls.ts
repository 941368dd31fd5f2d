import { bodyOf, provisioner } from '../../api/client.ts';
import type { components } from '../../api/generated/provisioner.ts';
import type { ListAnswer } from '../../parts/list-answer.ts';
import { servicesUrl } from '../../place.ts';
import type { SearchTexts } from '../../search-texts.ts';

type Schemas = components['schemas'];

/** A dataset of the source, and its state in storage. */
export type Delivery = Schemas['DatasetResponse'];
/** A submission of the source, and its state in storage. */
export type Submission = Schemas['SubmissionResponse'];
/** An import, a verification or a withdrawal. */
export type ImportRun = Schemas['ImportResponse'];
/** A file of an import. */
export type ImportedFile = Schemas['ImportedFile'];
/** The result of a dry run for a dataset. */
export type ImportPlan = Schemas['ImportPlan'];
/** The plan as a member of an import. */
export type PlanOfImport = Schemas['PlanOfImport'];
/** The result of a dry run for a submission and the selected datasets. */
export type SubmissionPlan = Schemas['SubmissionPlan'];
/** The result of a dry run for all missing imports. */
export type ImportAllPlan = Schemas['ImportAllPlanResponse'];
/** The schedule of the automatic imports. */
export type Schedule = Schemas['ScheduleResponse'];

/** The first parts of the cache keys. */
export const keys = { deliveries: 'deliveries', submissions: 'submissions', imports: 'imports', schedule: 'schedule' };

const limit = 50;

interface Answered<T> {
  readonly data?: { readonly items: readonly T[]; readonly total?: number };
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns a page of a list. The `Link` header contains the cursor of the next page. */
async function pageOf<T>(call: Promise<Answered<T>>): Promise<ListAnswer<T>> {
  const body = await bodyOf<{ readonly items: readonly T[]; readonly total?: number }>(call);
  const link = (await call).response.headers.get('link') ?? '';
  const [, next] = /<([^>]+)>; rel="next"/.exec(link) ?? [];
  return { ...body, next_cursor: next === undefined ? null : new URL(next, servicesUrl).searchParams.get('cursor') };
}

/** Returns a page of submissions, by the parameters of an address. */
export function searchSubmissions(query: SearchTexts, signal: AbortSignal): Promise<ListAnswer<Submission>> {
  return pageOf(provisioner.GET('/submissions/srcsys', { params: { query: { limit, ...query } as never }, signal }));
}

/** Returns a page of datasets, by the parameters of an address. */
export function searchDeliveries(query: SearchTexts, signal: AbortSignal): Promise<ListAnswer<Delivery>> {
  return pageOf(provisioner.GET('/datasets/srcsys', { params: { query: { limit, ...query } as never }, signal }));
}

/**
 * Returns a page of imports, newest first. With selective filters, the service may return an empty page that has a next
 * page. In this case, the function requests the next page.
 *
 * @param query `state`, `kind`, `subject`, `cursor`
 */
export async function searchImports(query: SearchTexts, signal: AbortSignal): Promise<ListAnswer<ImportRun>> {
  const page = await pageOf(provisioner.GET('/imports', { params: { query: { limit, ...query } as never }, signal }));
  const { items, next_cursor: cursor } = page;
  return items.length > 0 || cursor === null ? page : searchImports({ ...query, cursor }, signal);
}

export function getSubmission(id: string, signal?: AbortSignal): Promise<Submission> {
  return bodyOf(provisioner.GET('/submissions/srcsys/{id}', { params: { path: { id } }, signal }));
}

export function getDelivery(id: string, signal?: AbortSignal): Promise<Delivery> {
  return bodyOf(provisioner.GET('/datasets/srcsys/{id}', { params: { path: { id } }, signal }));
}

export function getImport(id: string, signal?: AbortSignal): Promise<ImportRun> {
  return bodyOf(provisioner.GET('/imports/{id}', { params: { path: { id } }, signal }));
}

/** Returns a page of the stored or the failed files of an import. */
export function getFiles(
  id: string,
  query: { readonly state: ImportedFile['state']; readonly cursor?: string },
  signal: AbortSignal,
): Promise<ListAnswer<ImportedFile>> {
  return pageOf(
    provisioner.GET('/imports/{id}/files', { params: { path: { id }, query: { ...query, limit } }, signal }),
  );
}

/** Returns the address of an imported dataset's manifest, which contains a line of JSON for each file. */
export function manifestAddress(id: string): string {
  return `${servicesUrl}/datasets/srcsys/${encodeURIComponent(id)}/manifest`;
}

/** Returns the address of the server-sent events of an import. */
export function eventsAddress(id: string): string {
  return `${servicesUrl}/imports/${encodeURIComponent(id)}/events`;
}

export function cancelImport(id: string): Promise<ImportRun> {
  return bodyOf(provisioner.POST('/imports/{id}/cancel', { params: { path: { id } } }));
}

/** Retries an import. @returns the same import, or a new import if a rejected delivery has changed */
export function retryImport(id: string): Promise<ImportRun> {
  return bodyOf(provisioner.POST('/imports/{id}/retry', { params: { path: { id } } }));
}

export function verify(id: string): Promise<ImportRun> {
  return bodyOf(provisioner.POST('/datasets/srcsys/{id}/verify', { params: { path: { id } } }));
}

/** Withdraws an imported dataset. @param reason is kept permanently */
export function withdraw(id: string, reason: string): Promise<ImportRun> {
  return bodyOf(provisioner.POST('/datasets/srcsys/{id}/withdraw', { params: { path: { id } }, body: { reason } }));
}

/** Removes the files of a withdrawn dataset permanently. */
export function purge(id: string, body: Schemas['PurgeDataset']): Promise<ImportRun> {
  return bodyOf(provisioner.POST('/datasets/srcsys/{id}/purge', { params: { path: { id } }, body }));
}
