import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { texts } from '../../texts/texts.ts';
import { eventsAddress, getImport, type ImportRun, keys } from './calls.ts';

/** The delay before the next attempt after a refused connection. */
const againAfterMs = 2_000;

const endedStates: readonly ImportRun['state'][] = ['finished', 'rejected', 'failed', 'cancelled'];

/** Whether an import is in a final state. */
export const isEnded = ({ state }: ImportRun): boolean => endedStates.includes(state);

/** The current state of an import. */
export interface LiveImport {
  readonly run: ImportRun | undefined;
  /** The error of the request, if it failed. */
  readonly error: Error | null;
  /** Whether the connection is interrupted, so that the state may be outdated. */
  readonly isInterrupted: boolean;
}

/** Returns an import that server-sent events update until its end. */
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
      // A request by the client renews an expired session. The event source cannot renew a session.
      onRefused: () => queries.refetchQueries({ queryKey }),
    });
  }, [id, isMoving, queries]);
  return { run, error, isInterrupted: isMoving && isInterrupted };
}

/** Invalidates all cached lists that show the state of an import's dataset or submission. */
export async function refreshAround(queries: ReturnType<typeof useQueryClient>): Promise<void> {
  const stale = [[keys.deliveries], [keys.submissions], [keys.imports, 'list'], [keys.schedule]];
  await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

interface Follower {
  /** Is called when a connection opens. The import need not have changed. */
  readonly onOpened: () => void;
  readonly onChange: (run: ImportRun) => void;
  readonly onInterrupted: () => void;
  /** Is called when the service refuses the connection. */
  readonly onRefused: () => Promise<unknown>;
}

/** Subscribes to the events of an import. @returns a function that ends the subscription */
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
      if (events.readyState !== EventSource.CLOSED) return; // the browser reconnects
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
