import { AppError } from '@rdc/errors';
import { createHmac } from 'node:crypto';
import type { EntityManager } from 'typeorm';

/** Settings by name, as text; null if a setting is not set. Of a secret, the text is a {@link fingerprintOf}. */
export type WrittenSettings = Readonly<Record<string, string | null>>;

/** A setting whose value in this process differs from the value of the service. */
interface OtherSetting {
  readonly name: string;
  /** The value in the environment of this process. */
  readonly own: string | null;
  /** The value with which the service started last. */
  readonly recorded: string | null;
}

/** The time after which a write makes sense again: a rollout has then stopped the processes with the previous settings. */
const retrySeconds = 30;

/** 503: this process has other settings than the service, and a write would store values that are wrong there. */
export class OtherSettingsError extends AppError {
  constructor(settings: readonly OtherSetting[]) {
    const named = settings.map(
      ({ name, own, recorded }) =>
        `${name} is ${shown(own, 'one secret')} in the environment of this process, and ` +
        `${shown(recorded, 'another secret')} in the database, where the service recorded it at its last start. `,
    );
    super(
      'settings.differ',
      `Nothing was written: ${named.join('')}` +
        'Run this process with the recorded value, or start the service with the new value first.',
      { retryAfterSeconds: retrySeconds, details: { settings: settings.map(({ name }) => name) } },
    );
  }
}

/**
 * Checks that the service started last with the settings of this process. Before the first start of the service, every
 * value is accepted.
 *
 * @throws OtherSettingsError if a setting differs
 */
export async function requireServiceSettings(manager: EntityManager, own: WrittenSettings): Promise<void> {
  const differing = await differingSettings(manager, own);
  if (differing.length > 0) throw new OtherSettingsError(differing);
}

/** Records the settings of the service, which is starting. @returns the names of the settings that had another value */
export async function recordServiceSettings(manager: EntityManager, own: WrittenSettings): Promise<string[]> {
  const differing = await differingSettings(manager, own);
  await manager.query(
    `INSERT INTO service_settings AS kept (name, value) SELECT * FROM unnest($1::text[], $2::text[])
     ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE kept.value IS DISTINCT FROM excluded.value`,
    [Object.keys(own), Object.values(own)],
  );
  return differing.map(({ name }) => name);
}

async function differingSettings(manager: EntityManager, own: WrittenSettings): Promise<OtherSetting[]> {
  const rows = await manager.query<{ name: string; value: string | null }[]>(
    'SELECT name, value FROM service_settings WHERE name = ANY ($1) ORDER BY name',
    [Object.keys(own)],
  );
  return rows.flatMap(({ name, value: recorded }) => {
    const value = own[name] ?? null;
    return value === recorded ? [] : [{ name, own: value, recorded }];
  });
}

const fingerprint = 'fingerprint:';

/** Returns a text by which two secrets can be compared, and which reveals no secret. */
export function fingerprintOf(secret: string): string {
  return `${fingerprint}${createHmac('sha256', secret).update('service_settings').digest('hex')}`;
}

function shown(value: string | null, secret: string): string {
  if (value === null) return 'not set';
  return value.startsWith(fingerprint) ? secret : JSON.stringify(value);
}
