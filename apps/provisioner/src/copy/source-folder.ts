import { closeSync, constants, openSync } from 'node:fs';
import type { SourceLocation } from '../model/source-system.js';

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** A folder and the one below it of the files in hand, entered name by name without following a link. */
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

  /** A descriptor of a file, to be closed by the caller; links fail with ELOOP, pipes never block. */
  openFile(path: string): number {
    return openSync(this.pathTo(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  }

  /** The same place by way of the folders held open, as long as no other is asked for. A link at its end is not resolved. */
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
