import { startKeycloak } from '../../scripts/keycloak.ts';
import startPostgres from './postgres.setup.ts';

/** Starts Keycloak for the suites `*.keycloak.spec.ts` (`TEST_KEYCLOAK_URL`), in addition to the Postgres of all suites. */
export default async function startServers(): Promise<void> {
  const [keycloak] = await Promise.all([startKeycloak(), startPostgres()]);
  process.env['TEST_KEYCLOAK_URL'] = keycloak.url;
  globalThis.stopTestKeycloak = () => keycloak.stop();
}

declare global {
  /** Set by the setup for the teardown of the same run. */
  var stopTestKeycloak: (() => Promise<void>) | undefined;
}
