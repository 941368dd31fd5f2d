/** The messages between a walk and its threads. */
import { deserialize, serialize } from 'node:v8';
import type { SourceLocation, WalkItem } from '../../model/source-system.js';
import type { NamedEntry, WalkRules } from './folder-entries.js';

/** The largest number of entries that a thread inspects for one task. */
export const entriesPerTask = 512;

/** Some entries of a folder, packed by a thread for another thread, so that a folder of a million names blocks no event loop. */
export type PackedNames = Uint8Array;

/** Returns entries in runs for one task each. */
export function packNames(names: readonly NamedEntry[]): PackedNames[] {
  const count = Math.ceil(names.length / entriesPerTask);
  return Array.from({ length: count }, (_, at) =>
    serialize(names.slice(at * entriesPerTask, (at + 1) * entriesPerTask)),
  );
}

/** Returns the entries of a run. */
export function unpackNames(names: PackedNames): readonly NamedEntry[] {
  return deserialize(names) as readonly NamedEntry[];
}

/** A request to read a part of a folder. */
export interface WalkTask {
  /** A number that differs for each walk of the process. Open folders are used for one walk only. */
  readonly walk: number;
  readonly place: SourceLocation;
  readonly rules: WalkRules;
  /** The path of the folder below the place; empty for the place itself. */
  readonly path: string;
  /** The entries to inspect; null to read the names in the folder and to inspect the first entries. */
  readonly names: PackedNames | null;
}

/** A part of a folder in the order of the walk. */
export interface FolderPart {
  readonly items: readonly WalkItem[];
  /** The entries after the items, in runs of at most `entriesPerTask`. */
  readonly rest: readonly PackedNames[];
}

/** The answer of a thread: the part, or the error of the operating system. */
export type WalkAnswer =
  | { readonly part: FolderPart; readonly error?: undefined }
  | { readonly part?: undefined; readonly error: { readonly message: string; readonly code: string | undefined } };
