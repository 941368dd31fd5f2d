/** Stops the server that the setup started, and removes its data. */
export default async function stopPostgres(): Promise<void> {
  await globalThis.stopTestPostgres?.();
}
