declare module 'on-exit-leak-free' {
  /** Calls `action` with `held` when the process exits, unless `held` has been garbage-collected. */
  export function register<T extends object>(held: T, action: (held: T) => void): void;
}
