import type { SubmissionDescription } from './source-system.js';

/** The optional file in which a submission describes itself. */
export const submissionFile = 'submission.json';

/** The largest `submission.json` that is read, in bytes. */
export const maxDescriptionBytes = 1024 * 1024;

/** How long the members may be, in characters: lists hold those of every submission in memory. */
const maxLengths: Readonly<Record<keyof SubmissionDescription, number>> = {
  title: 1_000,
  submitter: 1_000,
  submitted_at: 100,
  description: 10_000,
  project: 1_000,
};

/**
 * Reads `submission.json`; null when it is not a JSON object. Members of another type than text, or that are too long,
 * count as not there.
 */
export function parseSubmissionDescription(bytes: Buffer): SubmissionDescription | null {
  const said = jsonObjectOf(bytes);
  if (!said) return null;
  const text = (member: keyof SubmissionDescription): string | null => {
    const value = said[member];
    return typeof value === 'string' && value !== '' && value.length <= maxLengths[member] ? value : null;
  };
  return {
    title: text('title'),
    submitter: text('submitter'),
    submitted_at: text('submitted_at'),
    description: text('description'),
    project: text('project'),
  };
}

/** What is too long in a `submission.json`, a sentence without its end for each member. */
export function tooLongMembers(bytes: Buffer): readonly string[] {
  const said = jsonObjectOf(bytes) ?? {};
  return Object.entries(maxLengths).flatMap(([member, max]) => {
    const value = said[member];
    return typeof value === 'string' && value.length > max ? [tooLong(member, value, max)] : [];
  });
}

/** Says of a member of a descriptor that it is too long. */
export function tooLong(member: string, value: string, max: number): string {
  return `its ${member} has ${String(value.length)} characters; at most ${String(max)} are taken`;
}

/** The JSON object that bytes hold, or null when they hold anything else. */
export function jsonObjectOf(bytes: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
