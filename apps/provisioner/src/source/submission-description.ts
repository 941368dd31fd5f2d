import type { SubmissionDescription } from './source-system.js';

/** The optional file in which a submission describes itself. */
export const submissionFile = 'submission.json';

/** The largest `submission.json` that is read, in bytes. */
export const maxDescriptionBytes = 1024 * 1024;

/** Reads `submission.json`; null when it is not a JSON object. Members of another type than text count as not there. */
export function parseSubmissionDescription(bytes: Buffer): SubmissionDescription | null {
  const said = jsonObjectOf(bytes);
  if (!said) return null;
  const text = (member: string): string | null => {
    const value = said[member];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  return {
    title: text('title'),
    submitter: text('submitter'),
    submitted_at: text('submitted_at'),
    description: text('description'),
    project: text('project'),
  };
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
