/** A thread that reads descriptors, so that no descriptor can block or end the process. */
import { parentPort } from 'node:worker_threads';
import type { DeclarationRequest } from './declaration-messages.js';
import { DeclarationSession } from './declaration-session.js';

const session = new DeclarationSession();

parentPort?.on('message', (request: DeclarationRequest) => {
  parentPort?.postMessage(session.handle(request));
});
