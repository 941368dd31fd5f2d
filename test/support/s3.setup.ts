import { startCeph } from '../../scripts/ceph.ts';
import startPostgres from './postgres.setup.ts';

/** Starts Ceph for the suites `*.s3.spec.ts` (`TEST_S3_*`), in addition to the Postgres of all suites. */
export default async function startServers(): Promise<void> {
  const [ceph] = await Promise.all([startCeph(), startPostgres()]);
  const stranger = await ceph.addUser();
  process.env['TEST_S3_ENDPOINT'] = ceph.endpoint;
  process.env['TEST_S3_ACCESS_KEY_ID'] = ceph.accessKeyId;
  process.env['TEST_S3_SECRET_ACCESS_KEY'] = ceph.secretAccessKey;
  process.env['TEST_S3_STRANGER_KEY_ID'] = stranger.accessKeyId;
  process.env['TEST_S3_STRANGER_KEY'] = stranger.secretAccessKey;
  globalThis.stopTestCeph = () => ceph.stop();
}

declare global {
  /** Set by the setup for the teardown of the same run. */
  var stopTestCeph: (() => Promise<void>) | undefined;
}
