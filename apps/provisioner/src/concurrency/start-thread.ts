import { extname } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';

const isRunFromSources = extname(import.meta.url) === '.ts';
const sourceResolver = new URL('./resolve-sources.ts', import.meta.url).href;

/**
 * Starts a thread from the build or, if this process runs from the sources, from the sources. From the sources, Node
 * erases the types by itself, so the modules of a thread may use only syntax that Node can erase: no decorators, no
 * parameter properties, no enumerations.
 *
 * @param module the URL of the thread's module with the extension of the build, `.js`
 */
export function startThread(module: URL, options: WorkerOptions = {}): Worker {
  if (!isRunFromSources) return new Worker(module, options);
  const source = new URL(module.href.replace(/\.js$/, '.ts'));
  return new Worker(source, { ...options, execArgv: ['--import', sourceResolver] });
}
