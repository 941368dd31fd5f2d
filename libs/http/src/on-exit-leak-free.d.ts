declare module 'on-exit-leak-free' {
  /** Calls `action` with `held` when the process exits, unless `held` was garbage-collected before. */
  export function register<T extends object>(held: T, action: (held: T) => void): void;
}
