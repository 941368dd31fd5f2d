import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { useMay } from '../../session/roles.ts';
import { texts } from '../../texts/texts.ts';
import { cancelImport, type ImportRun, keys, retryImport, verify } from './calls.ts';
import { isEnded, refreshAround } from './live-import.ts';

const { actions } = texts.imports;

/** Returns a function that opens the page of a requested import. */
export function useShowRun(): (run: ImportRun) => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async (run) => {
    queries.setQueryData([keys.imports, 'record', run.id], run);
    await navigate({ to: '/imports/runs/$id', params: { id: run.id } });
    await refreshAround(queries);
  };
}

/** A button that cancels a running import or retries a failed import. Hidden if the user may not import. */
export function RunButtons({ run }: { readonly run: ImportRun }): ReactNode {
  const may = useMay();
  const show = useShowRun();
  if (!may('imports.write') || run.state === 'finished' || run.state === 'cancelling') return null;
  if (isEnded(run)) {
    return (
      <ConfirmButton
        variant="filled"
        label={actions.retry}
        title={actions.retryTitle}
        text={run.state === 'rejected' ? actions.retryRejectedText : actions.retryTexts[run.kind]}
        onConfirm={async () => show(await retryImport(run.id))}
      />
    );
  }
  return (
    <ConfirmButton
      color="red"
      label={actions.cancel}
      title={actions.cancelTitle}
      text={actions.cancelTexts[run.kind]}
      onConfirm={async () => show(await cancelImport(run.id))}
    />
  );
}

/** A button that verifies an imported dataset. Hidden if the user may not import. */
export function VerifyButton({ id }: { readonly id: string }): ReactNode {
  const may = useMay();
  const show = useShowRun();
  if (!may('imports.write')) return null;
  return (
    <ConfirmButton
      label={actions.verify}
      title={actions.verifyTitle(id)}
      text={actions.verifyText}
      onConfirm={async () => show(await verify(id))}
    />
  );
}
