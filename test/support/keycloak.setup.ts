import { startKeycloak } from '../../scripts/keycloak.ts';
import startPostgres from './postgres.setup.ts';

/** Gives the suites `*.keycloak.spec.ts` their Keycloak (`TEST_KEYCLOAK_URL`), beside the Postgres all suites have. */
export default async function startServers(): Promise<void> {
  const [keycloak] = await Promise.all([startKeycloak(), startPostgres()]);
  process.env['TEST_KEYCLOAK_URL'] = keycloak.url;
  globalThis.stopTestKeycloak = () => keycloak.stop();
}

declare global {
  /** Set by the setup for the teardown of the same run. */
  var stopTestKeycloak: (() => Promise<void>) | undefined;
}
