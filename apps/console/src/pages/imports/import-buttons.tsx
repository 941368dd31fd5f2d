import { Checkbox, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { bodyOf, provisioner } from '../../api/client.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { useMay } from '../../session/roles.ts';
import { texts } from '../../texts/texts.ts';
import type { ImportRun, Submission } from './calls.ts';
import { importAll } from './import-all.ts';
import { refreshAround } from './live-import.ts';
import { planOfAll, planOfDataset, planOfSubmission } from './plans.ts';
import { type PlanSummary, PlanView } from './plan-view.tsx';
import { useShowRun } from './run-buttons.tsx';

const { actions } = texts.imports;

type Planning<Plan extends PlanSummary> = readonly [name: string, plan: () => Promise<Plan>];

/** A plan that somebody else has asked for; this one only looks at it. */
function usePlan<Plan extends PlanSummary>([name, plan]: Planning<Plan>, isAsked: boolean): UseQueryResult<Plan> {
  return useQuery({ queryKey: ['plan', name], queryFn: plan, enabled: isAsked, staleTime: 0, gcTime: 0 });
}

/** Asks for a plan when the dialog is opened, for its children are made then. */
function AskedPlan<Plan extends PlanSummary>({ planning }: { readonly planning: Planning<Plan> }): ReactNode {
  return <PlanView plan={usePlan(planning, true)} />;
}

/** Imports one dataset, after showing what that takes; nothing for who may not. */
export function ImportDatasetButton({ id }: { readonly id: string }): ReactNode {
  const may = useMay();
  const show = useShowRun();
  const planning = [`dataset ${id}`, () => planOfDataset(id)] as const;
  const plan = usePlan(planning, false);
  if (!may('imports.write')) return null;
  const start = async (): Promise<void> => {
    const body = { dataset_id: id };
    await show((await bodyOf(provisioner.POST('/datasets/srcsys/import', { body }))) as ImportRun);
  };
  return (
    <ConfirmButton
      variant="filled"
      label={actions.import}
      title={actions.importTitle(id)}
      text={actions.importText}
      isReady={plan.data !== undefined}
      onConfirm={start}
    >
      <AskedPlan planning={planning} />
    </ConfirmButton>
  );
}

/** Imports a submission's documents and, if wanted, its datasets; nothing for who may not. */
export function ImportSubmissionButton({ submission }: { readonly submission: Submission }): ReactNode {
  const { reference, missing_datasets: missing } = submission;
  const may = useMay();
  const show = useShowRun();
  const [isWhole, setWhole] = useState(true);
  const planning = [`submission ${reference}`, () => planOfSubmission(reference)] as const;
  const plan = usePlan(planning, false);
  if (!may('imports.write')) return null;
  const start = async (): Promise<void> => {
    const body = { reference, datasets: isWhole ? 'all' : 'none' } as const;
    const asked = (await bodyOf(provisioner.POST('/submissions/srcsys/import', { body }))) as AskedSubmission;
    for (const { dataset_id: id, error } of asked.datasets) {
      if (error) notifications.show({ color: 'red', title: id, message: error.message, autoClose: false });
    }
    await show(asked);
  };
  return (
    <ConfirmButton
      variant="filled"
      label={actions.import}
      title={actions.importTitle(reference)}
      text={actions.importDocuments}
      isReady={plan.data !== undefined}
      onConfirm={start}
    >
      <AskedPlan planning={planning} />
      {missing.length > 0 && (
        <Checkbox
          label={actions.withDatasets(missing.length)}
          checked={isWhole}
          onChange={(event) => {
            setWhole(event.currentTarget.checked);
          }}
        />
      )}
    </ConfirmButton>
  );
}

/** Imports everything that is missing, after showing how much that is; nothing for who may not. */
export function ImportAllButton(): ReactNode {
  const may = useMay();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const planning = ['all', planOfAll] as const;
  const plan = usePlan(planning, false);
  if (!may('imports.write')) return null;
  const start = async (): Promise<void> => {
    const queued = await importAll();
    notifications.show({ message: queued === null ? actions.allAsked : actions.queued(queued) });
    await refreshAround(queries);
    await navigate({ to: '/imports/runs' });
  };
  const isNothing = plan.data?.imports === 0;
  return (
    <ConfirmButton
      label={actions.importAll}
      title={actions.importAllTitle}
      text={actions.importAllText}
      isReady={plan.data !== undefined && !isNothing}
      onConfirm={start}
    >
      <AskedPlan planning={planning} />
      {isNothing && <Text>{actions.importAllNothing}</Text>}
    </ConfirmButton>
  );
}

/** A submission's import, and what became of those of its datasets. */
type AskedSubmission = ImportRun & {
  readonly datasets: readonly { readonly dataset_id: string; readonly error: { readonly message: string } | null }[];
};
