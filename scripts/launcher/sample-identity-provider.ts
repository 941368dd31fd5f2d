import { join } from 'node:path';
import { spawnNode } from '../processes/node-process.ts';
import type { ProcessDescription } from '../processes/supervised-process.ts';

/** The catalog's settings of an identity provider. */
export type IdentityProviderSettings = Readonly<Record<'IDP_PROVIDER' | 'SCIM_URL' | 'SCIM_TOKEN', string>>;

/** Returns the catalog's settings for the identity provider of the sample. */
export function sampleProviderSettings(port: number, token: string): IdentityProviderSettings {
  return { IDP_PROVIDER: 'scim', SCIM_URL: `http://127.0.0.1:${String(port)}/scim/v2`, SCIM_TOKEN: token };
}

/** Returns the process of the sample's identity provider. */
export function describeSampleProvider(
  port: number,
  root: string,
  { SCIM_URL, SCIM_TOKEN }: IdentityProviderSettings,
): ProcessDescription {
  const program = {
    script: join(root, 'scripts/sample-identity-provider.ts'),
    environment: { ...process.env, PORT: String(port), SCIM_TOKEN },
    workingFolder: root,
  };
  return {
    name: 'identity-provider',
    spawn: (logFile) => spawnNode(program, logFile),
    isReady: () => answers(`${SCIM_URL}/Users?count=1`, SCIM_TOKEN),
    stopSignal: 'SIGTERM',
  };
}

const probeTimeoutMs = 5_000;

async function answers(url: string, token: string): Promise<boolean> {
  try {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(probeTimeoutMs) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
