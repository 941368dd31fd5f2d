import stopPostgres from './postgres.teardown.ts';

/** Stops the servers that the setup started. */
export default async function stopServers(): Promise<void> {
  await Promise.all([globalThis.stopTestKeycloak?.(), stopPostgres()]);
}
