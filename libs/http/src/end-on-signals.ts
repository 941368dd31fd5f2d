const exitCodes = { SIGTERM: 143, SIGINT: 130 } as const;

/**
 * Lets SIGTERM and SIGINT end this process at once, for as long as nobody else handles them. To be called first: process 1
 * of a container, which ours are, is spared every signal that it does not handle, and would have to be killed.
 */
export function endOnSignals(): void {
  for (const [signal, code] of Object.entries(exitCodes)) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(code);
    });
  }
}
