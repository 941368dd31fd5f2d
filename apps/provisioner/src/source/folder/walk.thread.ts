/** A thread that reads folders of the source, so that a slow or hanging file system blocks no other work of the process. */
import { parentPort } from 'node:worker_threads';
import { FolderReader } from './folder-reader.js';
import type { WalkTask } from './walk-messages.js';

/** The time after the last task after which the folders are closed. */
const idleMs = 1_000;

const reader = new FolderReader();
let closing: NodeJS.Timeout | undefined;

parentPort?.on('message', (task: WalkTask) => {
  clearTimeout(closing);
  parentPort?.postMessage([reader.answer(task)]);
  closing = setTimeout(() => {
    reader.close();
  }, idleMs);
});
