import type { Purpose } from '@rdc/auth';
import { hash } from 'node:crypto';
import type { IntrospectedCaller } from './catalog-introspection.js';

/** For how long an answer may be used again by requests that only read. */
const keptMs = 5_000;

/** Answers kept at once; the oldest is dropped for one more. */
const maxKept = 10_000;

interface KeptAnswer {
  readonly caller: IntrospectedCaller | null;
  /** When the question was asked, on the clock of the process. */
  readonly askedAt: number;
}

/**
 * Answers questions about tokens: for a write by asking the catalog each time, for a read by an answer of the last five
 * seconds. Reads that ask the same at the same time share one call. A write shares no call that began before it, so an
 * ended session never writes.
 */
export class CallerCache {
  /** By the hash of the token, so that no secret stays in memory; in the order of `askedAt`. */
  private readonly kept = new Map<string, KeptAnswer>();
  private readonly underWay = new Map<string, Promise<IntrospectedCaller | null>>();

  /** @param ask puts one question to the catalog */
  constructor(private readonly ask: (token: string) => Promise<IntrospectedCaller | null>) {}

  /** Returns the caller; null if the token is not active. @throws DependencyDownError if the catalog does not answer */
  identify(token: string, purpose: Purpose): Promise<IntrospectedCaller | null> {
    const key = hash('sha256', token, 'base64url');
    if (purpose === 'write') return this.askAndKeep(key, token);
    const answer = this.kept.get(key);
    if (answer && performance.now() - answer.askedAt < keptMs) return Promise.resolve(answer.caller);
    const shared = this.underWay.get(key) ?? this.askAndKeep(key, token).finally(() => this.underWay.delete(key));
    this.underWay.set(key, shared);
    return shared;
  }

  private async askAndKeep(key: string, token: string): Promise<IntrospectedCaller | null> {
    const askedAt = performance.now();
    const caller = await this.ask(token);
    const newer = (this.kept.get(key)?.askedAt ?? -Infinity) > askedAt;
    if (!newer) this.keep(key, { caller, askedAt });
    return caller;
  }

  private keep(key: string, answer: KeptAnswer): void {
    this.kept.delete(key);
    for (const [each, { askedAt }] of this.kept) {
      if (this.kept.size < maxKept && askedAt > performance.now() - keptMs) break;
      this.kept.delete(each);
    }
    this.kept.set(key, answer);
  }
}
