import { Checkbox } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { bodyOf, provisioner } from '../../api/client.ts';
import { ConfirmButton, type ConfirmButtonProps } from '../../parts/confirm-button.tsx';
import { useMay } from '../../session/roles.ts';
import { texts } from '../../texts/texts.ts';
import type { ImportRun, Submission } from './calls.ts';
import { importAll } from './import-all.ts';
import { refreshAround } from './live-import.ts';
import { planOfAll, planOfDataset, planOfSubmission } from './plans.ts';
import { type PlanSummary, PlanView } from './plan-view.tsx';
import { useShowRun } from './run-buttons.tsx';

const { actions } = texts.imports;

/** The cache key of a plan, and a function that requests the plan. */
type Planning = readonly [name: string, plan: (signal: AbortSignal) => Promise<PlanSummary>];

/** Returns a plan. Without `isAsked`, the plan is only read from the cache. */
function usePlan([name, plan]: Planning, isAsked: boolean): UseQueryResult<PlanSummary> {
  return useQuery({
    queryKey: ['plan', name],
    queryFn: ({ signal }) => plan(signal),
    enabled: isAsked,
    staleTime: 0,
    gcTime: 0,
  });
}

/** A plan that is requested when the dialog opens, because the dialog renders its children only then. */
function AskedPlan({ planning }: { readonly planning: Planning }): ReactNode {
  return <PlanView plan={usePlan(planning, true)} />;
}

interface PlannedButtonProps extends Omit<ConfirmButtonProps, 'isReady'> {
  readonly planning: Planning;
}

/** A button that shows a plan and then starts the import. Hidden if the user may not import. */
function PlannedButton({ planning, children, ...button }: PlannedButtonProps): ReactNode {
  const may = useMay();
  const { data: plan } = usePlan(planning, false);
  if (!may('imports.write')) return null;
  return (
    <ConfirmButton {...button} isReady={plan !== undefined && plan.isNothing !== true}>
      <AskedPlan planning={planning} />
      {children}
    </ConfirmButton>
  );
}

interface ImportDatasetButtonProps {
  readonly id: string;
  /** Whether the dataset was withdrawn. The service then imports it only if the request permits that. */
  readonly isWithdrawn: boolean;
}

/** A button that imports a dataset. */
export function ImportDatasetButton({ id, isWithdrawn }: ImportDatasetButtonProps): ReactNode {
  const show = useShowRun();
  const start = async (): Promise<void> => {
    const body = { dataset_id: id, reimport_of_withdrawn: isWithdrawn };
    await show((await bodyOf(provisioner.POST('/datasets/srcsys/import', { body }))) as ImportRun);
  };
  return (
    <PlannedButton
      variant="filled"
      label={actions.import}
      title={actions.importTitle(id)}
      text={isWithdrawn ? actions.importWithdrawnText : actions.importText}
      planning={[`dataset ${id}`, (signal) => planOfDataset(id, isWithdrawn, signal)]}
      onConfirm={start}
    />
  );
}

/** A button that imports a submission's documents and, optionally, its datasets. */
export function ImportSubmissionButton({ submission }: { readonly submission: Submission }): ReactNode {
  const { reference, missing_datasets: missing } = submission;
  const show = useShowRun();
  const [isWhole, setWhole] = useState(true);
  const datasets = isWhole ? 'all' : 'none';
  const start = async (): Promise<void> => {
    const body = { reference, datasets } as const;
    const asked = (await bodyOf(provisioner.POST('/submissions/srcsys/import', { body }))) as AskedSubmission;
    for (const { dataset_id: id, error } of asked.datasets) {
      if (error) notifications.show({ color: 'red', title: id, message: error.message, autoClose: false });
    }
    await show(asked);
  };
  return (
    <PlannedButton
      variant="filled"
      label={actions.import}
      title={actions.importTitle(reference)}
      text={actions.importDocuments}
      planning={[`submission ${reference} ${datasets}`, (signal) => planOfSubmission(reference, datasets, signal)]}
      onConfirm={start}
    >
      {missing.length > 0 && (
        <Checkbox
          label={actions.withDatasets(missing.length)}
          checked={isWhole}
          onChange={(event) => {
            setWhole(event.currentTarget.checked);
          }}
        />
      )}
    </PlannedButton>
  );
}

/** A button that imports everything that is missing. */
export function ImportAllButton(): ReactNode {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const start = async (): Promise<void> => {
    const queued = await importAll();
    notifications.show({ message: queued === null ? actions.allAsked : actions.queued(queued) });
    await refreshAround(queries);
    await navigate({ to: '/imports/runs' });
  };
  return (
    <PlannedButton
      label={actions.importAll}
      title={actions.importAllTitle}
      text={actions.importAllText}
      planning={['all', planOfAll]}
      onConfirm={start}
    />
  );
}

/** The import of a submission, with the outcome of the requests for its datasets. */
type AskedSubmission = ImportRun & {
  readonly datasets: readonly { readonly dataset_id: string; readonly error: { readonly message: string } | null }[];
};
