import { closeSync, constants, openSync } from 'node:fs';
import type { SourceLocation } from '../model/source-system.js';

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * A folder of the source. Each path is entered name by name without following a link. The folders of the last path stay
 * open for the next path.
 */
export class SourceFolder {
  private readonly location: SourceLocation;
  private readonly chain: { readonly name: string; readonly descriptor: number }[] = [];

  constructor(location: SourceLocation) {
    this.location = location;
    this.chain.push({ name: '', descriptor: openSync(location.root, constants.O_RDONLY | constants.O_DIRECTORY) });
    try {
      for (const name of location.folders) this.enter(name);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Opens a file. The caller closes the descriptor. A link fails with ELOOP, and a pipe does not block. */
  openFile(path: string): number {
    return openSync(this.pathTo(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  }

  /** Returns a path through the open folders, valid until the next call. A link at the end of the path is not resolved. */
  pathTo(path: string): string {
    const names = path.split('/');
    const file = names.pop() ?? '';
    this.moveTo(names);
    return this.pathOf(file);
  }

  close(): void {
    for (const { descriptor } of this.chain.splice(0)) closeSync(descriptor);
  }

  private moveTo(names: readonly string[]): void {
    const base = this.location.folders.length + 1;
    let shared = 0;
    while (shared < names.length && this.chain[base + shared]?.name === names[shared]) shared += 1;
    for (const { descriptor } of this.chain.splice(base + shared)) closeSync(descriptor);
    for (const name of names.slice(shared)) this.enter(name);
  }

  private enter(name: string): void {
    this.chain.push({ name, descriptor: openSync(this.pathOf(name), folderFlags) });
  }

  private pathOf(name: string): string {
    return `/proc/self/fd/${String(this.chain.at(-1)?.descriptor)}/${name}`;
  }
}
