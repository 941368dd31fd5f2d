import { InvalidInputError, maxNamedProblems, type FieldProblem } from '@rdc/errors';
import { parseInstant } from './instant.js';

/** The identity of an entitlement. */
export interface EntitlementKey {
  /** Number of the application at the access-request system. */
  readonly application: number;
  /** Accession of the dataset. */
  readonly resource: string;
  /** The person's identifier at the identity provider. */
  readonly user: string;
}

/** One element of a post. */
export interface Entitlement extends EntitlementKey {
  /** The end; null if the sender names no end. */
  readonly end: Date | null;
}

/** The elements of one post about one entitlement. */
export interface Claim {
  readonly key: EntitlementKey;
  /** The ends of the elements, in any order; null for no end. */
  readonly ends: readonly (Date | null)[];
}

const maxInteger = 2_147_483_647;
const maxText = 255;

/**
 * Reads the body of a post: one entitlement or an array of entitlements.
 *
 * Unknown members are ignored. `mail` (or `email`) must be text or null and is not stored, because `user` identifies the
 * person.
 *
 * @throws InvalidInputError if an element is malformed; the error lists the index and field of up to a thousand problems
 */
export function readEntitlements(body: unknown): Entitlement[] {
  const problems: FieldProblem[] = [];
  const entitlements = (Array.isArray(body) ? body : [body]).map((element: unknown, index) =>
    readElement(element, (field, problem) => {
      problems.push({ field: `[${String(index)}]${field && `.${field}`}`, problem });
      if (problems.length >= maxNamedProblems) throw new InvalidInputError(problems);
    }),
  );
  if (problems.length > 0) throw new InvalidInputError(problems);
  return entitlements;
}

type ReportProblem = (field: string, problem: string) => void;

function readElement(element: unknown, report: ReportProblem): Entitlement {
  if (element === null || typeof element !== 'object' || Array.isArray(element)) {
    report('', 'must be an object with application, resource, user and end');
    return { application: 0, resource: '', user: '', end: null };
  }
  const members = element as Readonly<Record<string, unknown>>;
  for (const mail of ['mail', 'email']) {
    const value = members[mail] ?? null;
    if (value !== null && typeof value !== 'string') report(mail, 'must be text or null');
  }
  return {
    application: readNumber(members, report),
    resource: readText(members, 'resource', report),
    user: readText(members, 'user', report),
    end: readEnd(members['end'] ?? null, report),
  };
}

function readNumber({ application }: Readonly<Record<string, unknown>>, reportProblem: ReportProblem): number {
  if (Number.isInteger(application) && Math.abs(Number(application)) <= maxInteger) return Number(application);
  reportProblem('application', 'must be a whole number');
  return 0;
}

function readText(members: Readonly<Record<string, unknown>>, field: string, reportProblem: ReportProblem): string {
  const value = members[field];
  if (typeof value === 'string' && value !== '' && value.length <= maxText) return value;
  reportProblem(field, `must be text of 1 to ${String(maxText)} characters`);
  return '';
}

function readEnd(value: unknown, reportProblem: ReportProblem): Date | null {
  const instant = typeof value === 'string' ? parseInstant(value) : null;
  if (value !== null && !instant) reportProblem('end', 'must be an instant in ISO 8601, or null');
  return instant;
}
