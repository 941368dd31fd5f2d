const exitCodes = { SIGTERM: 143, SIGINT: 130 } as const;

/**
 * Ends the process on SIGTERM and SIGINT while it has no other handler for the signal. Call this function first:
 * process 1 of a container ignores every signal without a handler, so a process without this function would have to be
 * killed.
 */
export function endOnSignals(): void {
  for (const [signal, code] of Object.entries(exitCodes)) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(code);
    });
  }
}
