import type { Purpose } from '@rdc/auth';
import { hash } from 'node:crypto';
import type { IntrospectedCaller } from './catalog-introspection.js';

/** Maximum age of a cached result for requests that only read. */
const maxAgeMs = 5_000;

/** Maximum number of cached results. The oldest is removed first. */
const maxEntries = 10_000;

interface CachedCaller {
  readonly caller: IntrospectedCaller | null;
  /** The start of the call to the catalog, by the monotonic clock. */
  readonly requestedAt: number;
}

/**
 * A cache of the callers of tokens. For a write, the catalog is called each time, so that an ended session never
 * writes. For a read, a result of the last five seconds is used. Concurrent reads with the same token share one call.
 */
export class CallerCache {
  /** The entries by the hash of the token, so that no secret stays in memory. Ordered by `requestedAt`. */
  private readonly entries = new Map<string, CachedCaller>();
  private readonly calls = new Map<string, Promise<IntrospectedCaller | null>>();

  /** @param introspect calls the catalog */
  constructor(private readonly introspect: (token: string) => Promise<IntrospectedCaller | null>) {}

  /**
   * Identifies the caller.
   *
   * @returns null if the token is not active
   * @throws DependencyDownError if the catalog does not answer
   */
  identify(token: string, purpose: Purpose): Promise<IntrospectedCaller | null> {
    const key = hash('sha256', token, 'base64url');
    if (purpose === 'write') return this.introspectAndStore(key, token);
    const entry = this.entries.get(key);
    if (entry && performance.now() - entry.requestedAt < maxAgeMs) return Promise.resolve(entry.caller);
    const shared = this.calls.get(key) ?? this.introspectAndStore(key, token).finally(() => this.calls.delete(key));
    this.calls.set(key, shared);
    return shared;
  }

  private async introspectAndStore(key: string, token: string): Promise<IntrospectedCaller | null> {
    const requestedAt = performance.now();
    const caller = await this.introspect(token);
    const newer = (this.entries.get(key)?.requestedAt ?? -Infinity) > requestedAt;
    if (!newer) this.store(key, { caller, requestedAt });
    return caller;
  }

  private store(key: string, entry: CachedCaller): void {
    this.entries.delete(key);
    for (const [each, { requestedAt }] of this.entries) {
      if (this.entries.size < maxEntries && requestedAt > performance.now() - maxAgeMs) break;
      this.entries.delete(each);
    }
    this.entries.set(key, entry);
  }
}
