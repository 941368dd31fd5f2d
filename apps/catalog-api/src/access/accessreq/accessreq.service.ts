import { Injectable, Logger } from '@nestjs/common';
import { AppError, UnknownRecordError } from '@rdc/errors';
import { OutageLog } from '@rdc/http';
import { AccountLookup } from '../../people/account-sync/account-lookup.js';
import { IdentityProvider } from '../../people/identity-provider/identity-provider.js';
import { AccessRequestSettings } from './accessreq.settings.js';
import { AccessRequestMetrics } from './accessreq.metrics.js';
import { AccessRequestSystem, MissingRoleError } from './access-request-system.js';
import type { ElementResult } from './accessreq.dto.js';
import { decide, type Decision, type CurrentAccess } from './decision.js';
import { readEntitlements, type Claim, type Entitlement, type EntitlementKey } from './entitlement.js';
import { EntitlementsRepository, type CheckedClaim } from './entitlements.repository.js';

type ElementOutcome = ElementResult['outcome'];

/** The number of unknown datasets in the message. The details contain all of them. */
const maxNamed = 10;

/** 400: some elements name an unknown dataset; the other elements were applied. */
export class UnknownResourceError extends AppError {
  constructor(results: readonly ElementResult[]) {
    const refused = results.filter(({ outcome }) => outcome === 'unknown_resource');
    const unknown = [...new Set(refused.map(({ resource }) => resource))];
    const named = unknown.slice(0, maxNamed).join(', ');
    const others = unknown.length > maxNamed ? ` and ${String(unknown.length - maxNamed)} others` : '';
    super(
      'accessreq.unknown_resource',
      `These datasets do not exist: ${named}${others}. The other elements were applied.`,
      { details: { results } },
    );
  }
}

/** The time after which a repeated post makes sense again: an administrator of REMS has to act first. */
const rightsRetrySeconds = 60;

/** 503: claims wait, because the user of the catalog may not read the entitlements of all users. */
export class UnprovenClaimsError extends AppError {
  constructor(cause: MissingRoleError, results?: readonly ElementResult[]) {
    super('accessreq.no_rights', `Claims wait for their confirmation. ${cause.message}`, {
      ...{ cause, retryAfterSeconds: rightsRetrySeconds },
      ...(results && { details: { results } }),
    });
  }
}

/**
 * The time that a post waits for the access-request system and the identity provider together. The sender gives up after
 * 2.5 s and repeats the post.
 */
const postBudgetMs = 1400;

/** The time that a retry waits for the identity provider. */
const retryBudgetMs = 5000;

/** Concurrent requests to the access-request system. */
const concurrentChecks = 8;

/** Entitlements that one transaction applies. */
const batchSize = 500;

/** Applies the entitlements that the access-request system posts. */
@Injectable()
export class AccessRequestService {
  private readonly outages = new OutageLog(
    'confirming claims at the access-request system',
    new Logger(AccessRequestService.name),
  );

  constructor(
    private readonly repository: EntitlementsRepository,
    private readonly provider: IdentityProvider,
    private readonly lookup: AccountLookup,
    private readonly system: AccessRequestSystem,
    private readonly settings: AccessRequestSettings,
    private readonly metrics: AccessRequestMetrics,
  ) {}

  /**
   * Applies every element of a post, each independently of the others.
   *
   * If an access-request system is configured, the post is only a hint: the answer of that system is applied. If the
   * system does not answer in time, a grant waits for the confirmation. If a person is not found in time, background
   * attempts continue.
   *
   * @throws InvalidInputError if an element is malformed; no element is applied
   * @throws UnknownResourceError if a dataset is unknown; the other elements are applied
   * @throws UnprovenClaimsError if the catalog may not read the entitlements of all users; grants wait
   */
  async receive(body: unknown): Promise<ElementResult[]> {
    const entitlements = readEntitlements(body);
    const deadline = performance.now() + postBudgetMs;
    const checked = await this.checkClaims(claimsOf(entitlements), AbortSignal.timeout(postBudgetMs));
    const outcomes = await this.applyAll(checked);
    await this.completeGrants(entitlements, outcomes, Math.max(0, Math.round(deadline - performance.now())));
    const results = entitlements.map(({ application, resource, user }, index) => {
      const outcome = outcomes.get(nameOf({ application, resource, user })) ?? 'unchanged';
      return { index, application, resource, user, outcome };
    });
    this.metrics.count(results);
    if (results.some(({ outcome }) => outcome === 'unknown_resource')) throw new UnknownResourceError(results);
    const unproven = checked.find(({ missingRole }) => missingRole)?.missingRole;
    if (unproven) throw new UnprovenClaimsError(unproven, results);
    return results;
  }

  /**
   * Applies one claim as if it were posted now, with the time budget of a retry.
   *
   * @throws UnprovenClaimsError if the catalog may not read the entitlements of all users
   */
  async retryClaim(claim: Claim): Promise<ElementOutcome> {
    const checked = await this.checkClaims([claim]);
    const outcomes = await this.applyAll(checked);
    if (checked[0]?.missingRole) throw new UnprovenClaimsError(checked[0].missingRole);
    const outcome = outcomes.get(nameOf(claim.key)) ?? 'unchanged';
    const found =
      outcome === 'precreated' && (await this.findPeople(new Set([claim.key.user]), retryBudgetMs)).size > 0;
    return found ? 'granted' : outcome;
  }

  /**
   * Requests the confirmation of an entitlement and applies the answer. If there is no answer, changes nothing.
   *
   * @returns the error if the catalog may not read the entitlements of all users
   */
  async confirm({ application, resource, user, end }: Entitlement): Promise<MissingRoleError | undefined> {
    const checked = await this.checkClaims([{ key: { application, resource, user }, ends: [end] }]);
    await this.applyAll(checked.filter(({ statement }) => statement.trust === 'confirmed'));
    return checked[0]?.missingRole;
  }

  /**
   * Retries immediately to find the confirmation and the person that an access waits for.
   *
   * @returns the status of the access after the attempt
   * @throws UnknownRecordError if no access from an entitlement has this id
   * @throws UnprovenClaimsError if the catalog may not read the entitlements of all users
   */
  async retry(accessId: number): Promise<CurrentAccess['status']> {
    const access = await this.repository.find(accessId);
    if (!access) throw new UnknownRecordError('access', String(accessId));
    const missingRole = access.confirmationDue && this.system.isConfigured ? await this.confirm(access) : undefined;
    if (missingRole) throw new UnprovenClaimsError(missingRole);
    if (access.status === 'precreated') await this.findPeople(new Set([access.user]), retryBudgetMs);
    return (await this.repository.find(accessId))?.status ?? access.status;
  }

  /** Checks claims at the access-request system, if one is configured. */
  private async checkClaims(claims: readonly Claim[], signal?: AbortSignal): Promise<AnsweredClaim[]> {
    if (!this.system.isConfigured) {
      return claims.map((claim) => ({ claim, statement: { ends: claim.ends, trust: 'posted', requestedAt: null } }));
    }
    const checked: AnsweredClaim[] = [];
    for (const some of inBatches(claims, concurrentChecks)) {
      const requestedAt = await this.repository.now();
      checked.push(...(await Promise.all(some.map((claim) => this.checkClaim(claim, requestedAt, signal)))));
    }
    return checked;
  }

  private async checkClaim(claim: Claim, requestedAt: Date, signal?: AbortSignal): Promise<AnsweredClaim> {
    try {
      const ends = await this.system.findEnds(claim.key, signal);
      this.outages.succeeded();
      return { claim, statement: { ends, trust: 'confirmed', requestedAt } };
    } catch (error) {
      this.outages.failed(error);
      const statement = { ends: claim.ends, trust: 'unconfirmed', requestedAt: null } as const;
      return { claim, statement, ...(error instanceof MissingRoleError && { missingRole: error }) };
    }
  }

  private async applyAll(checked: readonly CheckedClaim[]): Promise<Outcomes> {
    const outcomes: Outcomes = new Map();
    for (const some of inBatches(checked, batchSize)) {
      const decisions = await this.repository.apply(some, (current, { ends, trust }, now) =>
        decide(current, ends, {
          now,
          defaultTermDays: this.settings.ACCESS_DEFAULT_EXPIRATION_DAYS,
          firstStatus: this.provider.name === 'none' ? 'active' : 'precreated',
          trust,
        }),
      );
      some.forEach(({ claim, statement }, at) => {
        outcomes.set(nameOf(claim.key), outcomeOf(decisions[at] ?? null, statement));
      });
    }
    return outcomes;
  }

  /** Searches for the people of new grants within the budget. Grants of people who are found count as granted. */
  private async completeGrants(
    entitlements: readonly Entitlement[],
    outcomes: Outcomes,
    budgetMs: number,
  ): Promise<void> {
    const waiting = entitlements.filter((each) => outcomes.get(nameOf(each)) === 'precreated');
    const found = await this.findPeople(new Set(waiting.map(({ user }) => user)), budgetMs);
    for (const each of waiting) if (found.has(each.user)) outcomes.set(nameOf(each), 'granted');
  }

  /** Returns the subjects of the people that the identity provider finds in time. */
  private async findPeople(people: ReadonlySet<string>, budgetMs: number): Promise<Set<string>> {
    return this.provider.name === 'none' ? new Set() : this.lookup.activateWithin(people, budgetMs);
  }
}

/** A checked claim, with the error if the catalog may not read the entitlements of all users. */
interface AnsweredClaim extends CheckedClaim {
  readonly missingRole?: MissingRoleError;
}

/** The outcome of each entitlement, by name. */
type Outcomes = Map<string, ElementOutcome>;

function outcomeOf(decision: Decision | null, { trust }: CheckedClaim['statement']): ElementOutcome {
  if (!decision) return 'unknown_resource';
  const waitsForPerson = decision.next?.granted && decision.next.status === 'precreated';
  return waitsForPerson && trust !== 'unconfirmed' ? 'precreated' : decision.outcome;
}

function* inBatches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** Groups the elements of a body by entitlement. */
function claimsOf(entitlements: readonly Entitlement[]): Claim[] {
  const claims = new Map<string, Claim & { readonly ends: (Date | null)[] }>();
  for (const each of entitlements) {
    const { application, resource, user, end } = each;
    const name = nameOf(each);
    const known = claims.get(name);
    if (known) known.ends.push(end);
    else claims.set(name, { key: { application, resource, user }, ends: [end] });
  }
  return [...claims.values()];
}

function nameOf({ application, resource, user }: EntitlementKey): string {
  return JSON.stringify([application, resource, user]);
}
