/** A thread that reads descriptors, so that neither their size nor their content stops or ends the process. */
import { parentPort } from 'node:worker_threads';
import type { DeclarationRequest } from './declaration-messages.js';
import { DeclarationSession } from './declaration-session.js';
import { memoryOf, type DetachedFiles } from './declared-files.js';

const session = new DeclarationSession();

parentPort?.on('message', (request: DeclarationRequest) => {
  const answer = session.take(request);
  const transferred = request.kind === 'detach' ? memoryOf(answer as DetachedFiles) : [];
  parentPort?.postMessage(answer, transferred);
});
