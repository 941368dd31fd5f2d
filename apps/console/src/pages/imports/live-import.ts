import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { texts } from '../../texts/texts.ts';
import { eventsAddress, getImport, type ImportRun, keys } from './calls.ts';

/** How long to wait before a refused connection is tried again. */
const againAfterMs = 2_000;

const endedStates: readonly ImportRun['state'][] = ['finished', 'rejected', 'failed', 'cancelled'];

/** Whether an import moves no more. */
export const isEnded = ({ state }: ImportRun): boolean => endedStates.includes(state);

/** An import as it is now. */
export interface LiveImport {
  readonly run: ImportRun | undefined;
  /** Why it cannot be shown. */
  readonly error: Error | null;
  /** Whether the connection is down, so that what is shown may be old. */
  readonly isInterrupted: boolean;
}

/** An import, kept up to date by the service's events until it has ended; nothing is polled. */
export function useLiveImport(id: string): LiveImport {
  const queries = useQueryClient();
  const [isInterrupted, setInterrupted] = useState(false);
  const { data: run, error } = useQuery({
    queryKey: [keys.imports, 'record', id],
    queryFn: ({ signal }) => getImport(id, signal),
  });
  const isMoving = run !== undefined && !isEnded(run);
  useEffect(() => {
    if (!isMoving) return undefined;
    const queryKey = [keys.imports, 'record', id];
    return follow(id, {
      onOpened: () => {
        setInterrupted(false);
      },
      onChange: (changed) => {
        queries.setQueryData(queryKey, changed);
        if (isEnded(changed)) void refreshAround(queries);
      },
      onInterrupted: () => {
        setInterrupted(true);
      },
      // A request of the client renews a session that has become too old, which events by themselves cannot.
      onRefused: () => queries.refetchQueries({ queryKey }),
    });
  }, [id, isMoving, queries]);
  return { run, error, isInterrupted: isMoving && isInterrupted };
}

/** Everything that shows how a subject stands is asked for anew when it is looked at next. */
export async function refreshAround(queries: ReturnType<typeof useQueryClient>): Promise<void> {
  const stale = [[keys.deliveries], [keys.submissions], [keys.imports, 'list'], [keys.schedule]];
  await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

interface Follower {
  /** The connection stands, for the first time or again; nothing need have changed meanwhile. */
  readonly onOpened: () => void;
  readonly onChange: (run: ImportRun) => void;
  readonly onInterrupted: () => void;
  /** The service does not answer with events. */
  readonly onRefused: () => Promise<unknown>;
}

/** Listens to the events of an import. @returns what stops it */
function follow(id: string, { onOpened, onChange, onInterrupted, onRefused }: Follower): () => void {
  let events: EventSource;
  let again: number | undefined;
  let isStopped = false;
  const tell = ({ data }: MessageEvent<string>): void => {
    onChange(JSON.parse(data) as ImportRun);
  };
  const open = (): void => {
    if (isStopped) return;
    events = new EventSource(eventsAddress(id));
    events.addEventListener('open', onOpened);
    for (const state of Object.keys(texts.imports.runStates)) events.addEventListener(state, tell);
    events.addEventListener('error', () => {
      onInterrupted();
      if (events.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
      again = window.setTimeout(() => void onRefused().then(open, open), againAfterMs);
    });
  };
  open();
  return () => {
    isStopped = true;
    window.clearTimeout(again);
    events.close();
  };
}
