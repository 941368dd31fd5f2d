import { mapConcurrently } from '../concurrency/for-each-concurrently.js';
import type { Commit } from '../model/commit.js';
import { ImportFailure } from '../model/failure.js';
import { caseVariantInStorage, caseVariantsInSource, caseVariantUnderWay } from '../model/id-collision.js';
import type { Subject } from '../model/identifier.js';
import type { ImportPlan, PlannedDataset } from '../model/import-plan.js';
import type { ImportRequest } from '../model/import-record.js';
import type { Problem } from '../model/problem.js';
import type { RequestLog } from '../model/request-log.js';
import type { SourcePlace } from '../model/source-system.js';
import { planSpace } from '../model/space-plan.js';
import type { Storage } from '../model/storage.js';
import type { StorageReserve } from '../settings/storage-reserve.js';
import { findWithdrawal, withdrawnText } from '../model/withdrawn-datasets.js';
import type { SourceAccess } from '../scan/source-access.js';
import { releaseScan } from '../source/place-scan.js';
import { findPlace, planOf, reportWalk, walkDelivery } from './planning.js';
import type { ProgressMeter } from './progress-meter.js';

/** Number of datasets of a submission that are planned concurrently. */
const concurrentDatasets = 4;

/** The services that a plan uses. */
interface PlanServices {
  readonly source: SourceAccess;
  readonly storage: Storage;
  readonly log: RequestLog;
  readonly reserve: StorageReserve;
}

/** One start of a plan: walks the deliveries that an import would copy, and changes nothing. */
export class PlanRun {
  constructor(
    private readonly services: PlanServices,
    private readonly request: ImportRequest,
    private readonly meter: ProgressMeter,
  ) {}

  /** Returns the plan with every problem. @throws ImportFailure, or the reason of the signal if it is aborted */
  async run(signal: AbortSignal): Promise<ImportPlan> {
    const { subject, plans, datasets } = this.request;
    const plan = await this.plan(subject, signal);
    if (plans !== 'submission') return plan;
    const ids = datasets === 'all' ? await this.services.source.index.datasetsOf(subject.id) : (datasets ?? []);
    const planned = await mapConcurrently(ids, concurrentDatasets, (id) => this.planDataset(id, signal));
    const missing = [plan, ...planned.flatMap((each) => each.plan ?? [])].filter(({ state }) => state !== 'imported');
    const bytes = missing.reduce((total, each) => total + each.bytes, 0);
    const fits = plan.fits && (plan.free_bytes === null || bytes <= plan.free_bytes);
    return { ...plan, fits, datasets: planned };
  }

  private async planDataset(id: string, signal: AbortSignal): Promise<PlannedDataset> {
    const { log, storage } = this.services;
    const withdrawal = this.request.reimport_of_withdrawn ? null : await findWithdrawal(log, storage, id);
    if (withdrawal)
      return { dataset_id: id, plan: null, error: { code: 'dataset.withdrawn', message: withdrawnText(withdrawal) } };
    try {
      const plan = await this.plan({ kind: 'dataset', id }, signal);
      const { state, ready, files, bytes, problem_count } = plan;
      return { dataset_id: id, plan: { state, ready, files, bytes, problem_count }, error: null };
    } catch (error) {
      if (!(error instanceof ImportFailure)) throw error;
      return { dataset_id: id, plan: null, error: { code: error.code, message: error.message } };
    }
  }

  private async plan(subject: Subject, signal: AbortSignal): Promise<ImportPlan> {
    const { source, storage, log, reserve } = this.services;
    const { index, scanner } = source;
    const { place, caseVariants } = await findPlace(index, subject);
    const delivery = await walkDelivery(source, place, () => scanner.inspect(place, signal));
    const { fingerprint } = delivery.scan;
    try {
      const [commit, open, space] = await Promise.all([
        storage.findCommit(subject),
        log.findOpen(subject.kind, subject.id),
        planSpace(storage, reserve, { subject, fingerprint, content: delivery.scan }),
      ]);
      const clashes = commit ? [] : await this.clashes(place, caseVariants, open);
      const state = stateOf(commit, fingerprint, open?.subject.id === subject.id);
      await reportWalk(scanner, delivery);
      const { files, bytes } = delivery.scan;
      this.meter.filesTotal = (this.meter.filesTotal ?? 0) + files;
      this.meter.bytesTotal = (this.meter.bytesTotal ?? 0) + bytes;
      return planOf(delivery, state, space, clashes);
    } finally {
      releaseScan(delivery.scan);
    }
  }

  /** Returns the problem that another subject has an id that differs by case only, if there is one. */
  private async clashes(
    place: SourcePlace,
    caseVariants: readonly SourcePlace[],
    open: ImportRequest | null,
  ): Promise<readonly Problem[]> {
    const problem = ({ message }: { readonly message: string }): Problem[] => [{ code: 'id.duplicate', message }];
    if (caseVariants.length > 0) return problem(caseVariantsInSource(place, caseVariants));
    if (open) return open.subject.id === place.id ? [] : problem(caseVariantUnderWay(place.id, open));
    const twin = await this.services.storage.findCaseVariant(place);
    return twin ? problem(caseVariantInStorage(place, twin)) : [];
  }
}

function stateOf(commit: Commit | null, fingerprint: string, isOpen: boolean): ImportPlan['state'] {
  if (commit) return commit.source.fingerprint === fingerprint ? 'imported' : 'differs';
  return isOpen ? 'importing' : 'not_imported';
}
