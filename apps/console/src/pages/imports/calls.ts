import { bodyOf, provisioner } from '../../api/client.ts';
import type { components } from '../../api/generated/provisioner.ts';
import type { ListAnswer } from '../../parts/list-page.tsx';
import { servicesUrl } from '../../place.ts';
import type { SearchTexts } from '../../search-texts.ts';

type Schemas = components['schemas'];

/** A dataset of the source, and what storage holds of it. */
export type Delivery = Schemas['DatasetResponse'];
/** A submission of the source, and what storage holds of it. */
export type Submission = Schemas['SubmissionResponse'];
/** One run of bringing something in, of verifying it, or of taking it out of sight. */
export type ImportRun = Schemas['ImportResponse'];
/** One file of an import. */
export type ImportedFile = Schemas['ImportedFile'];
/** What an import would do. */
export type ImportPlan = Schemas['ImportPlan'];
/** What an import of a submission would do, and of those of its datasets that are wanted. */
export type SubmissionPlan = Schemas['SubmissionPlan'];
/** What importing everything that is missing would do. */
export type ImportAllPlan = Schemas['ImportAllPlanResponse'];
/** When everything that is missing is imported. */
export type Schedule = Schemas['ScheduleResponse'];

/** Under which the answers are kept. */
export const keys = { deliveries: 'deliveries', submissions: 'submissions', imports: 'imports', schedule: 'schedule' };

const limit = 50;

interface Answered<T> {
  readonly data?: { readonly items: readonly T[]; readonly total?: number };
  readonly error?: unknown;
  readonly response: Response;
}

/** A page of a list; where the next is stands in the header `Link`. */
async function pageOf<T>(call: Promise<Answered<T>>): Promise<ListAnswer<T>> {
  const body = await bodyOf<{ readonly items: readonly T[]; readonly total?: number }>(call);
  const link = (await call).response.headers.get('link') ?? '';
  const [, next] = /<([^>]+)>; rel="next"/.exec(link) ?? [];
  return { ...body, next_cursor: next === undefined ? null : new URL(next, servicesUrl).searchParams.get('cursor') };
}

/** Submissions, by the parameters of an address. */
export function searchSubmissions(query: SearchTexts, signal: AbortSignal): Promise<ListAnswer<Submission>> {
  return pageOf(provisioner.GET('/submissions/srcsys', { params: { query: { ...query, limit } as never }, signal }));
}

/** Datasets, by the parameters of an address. */
export function searchDeliveries(query: SearchTexts, signal: AbortSignal): Promise<ListAnswer<Delivery>> {
  return pageOf(provisioner.GET('/datasets/srcsys', { params: { query: { ...query, limit } as never }, signal }));
}

/**
 * Imports, the newest first. Where few fit, the service ends pages early, even empty: then the next one is asked for.
 *
 * @param query `state`, `kind`, `subject`, `cursor`
 */
export async function searchImports(query: SearchTexts, signal: AbortSignal): Promise<ListAnswer<ImportRun>> {
  const page = await pageOf(provisioner.GET('/imports', { params: { query: { ...query, limit } as never }, signal }));
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

/** A page of the files of an import that are in storage, or of those that are at fault. */
export function getFiles(
  id: string,
  query: { readonly state: ImportedFile['state']; readonly cursor?: string },
  signal: AbortSignal,
): Promise<ListAnswer<ImportedFile>> {
  return pageOf(
    provisioner.GET('/imports/{id}/files', { params: { path: { id }, query: { ...query, limit } }, signal }),
  );
}

/** Where the whole manifest of an imported dataset is: a line of JSON for each file. */
export function manifestAddress(id: string): string {
  return `${servicesUrl}/datasets/srcsys/${encodeURIComponent(id)}/manifest`;
}

/** Where the changes of an import are told as server-sent events. */
export function eventsAddress(id: string): string {
  return `${servicesUrl}/imports/${encodeURIComponent(id)}/events`;
}

export function cancelImport(id: string): Promise<ImportRun> {
  return bodyOf(provisioner.POST('/imports/{id}/cancel', { params: { path: { id } } }));
}

/** @returns the same import, or a new one where the delivery was rejected and is another now */
export function retryImport(id: string): Promise<ImportRun> {
  return bodyOf(provisioner.POST('/imports/{id}/retry', { params: { path: { id } } }));
}

export function verify(id: string): Promise<ImportRun> {
  return bodyOf(provisioner.POST('/datasets/srcsys/{id}/verify', { params: { path: { id } } }));
}
