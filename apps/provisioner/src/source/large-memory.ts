/**
 * What Node 24 does to the memory of a typed array: the one that is left has none, which is free at once and not only
 * when V8 looks for garbage. An older Node, which may build and test but not run a service, leaves that to V8.
 */
interface Movable {
  transfer?(bytes: number): ArrayBuffer;
}

/** A larger one with the same content. The one that was must not be used any more. */
export function resized(buffer: ArrayBuffer & Movable, bytes: number): ArrayBuffer {
  if (buffer.transfer) return buffer.transfer(bytes);
  const larger = new ArrayBuffer(bytes);
  new Uint8Array(larger).set(new Uint8Array(buffer));
  return larger;
}

/** Frees one that must not be used any more. */
export function release(buffer: ArrayBuffer & Movable): void {
  buffer.transfer?.(0);
}
