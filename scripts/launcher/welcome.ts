import type { DataFolder } from './data-folder.ts';
import type { RunningSystem } from './system.ts';

/** What a person reads when the system is ready: what runs where, with which key, and what to try next. */
export function welcomeOf({ origin, keys, ports }: RunningSystem, folder: DataFolder): string {
  const withKey = `curl -sH 'X-API-Key: ${keys.global}'`;
  const place = (port: number): string => `127.0.0.1:${String(port)}`;
  const inner = Object.entries(ports).map(([name, port]) => `${name} ${place(port)}`);
  return `
Ready: ${origin}

  catalog       ${origin}/api           documented at ${origin}/docs
  provisioner   ${origin}/datasets      documented at ${origin}/provisioner/docs
  console       ${origin}/console       ${keys.admin ? `sign in as ${keys.admin.email}, password ${keys.admin.password}` : 'sign in as an administrator of yours'}
  inside        ${inner.join(', ')}
  data          ${folder.path}: deliveries in source/, imported in storage/, logs in log/

  Keys, kept in ${folder.keysFile}:
    global      ${keys.global}
    user        ${keys.user ?? '-'}
    endpoint    ${keys.endpoint ?? '-'}

  What to try next:
    ${withKey} ${origin}/api/datasets
    ${withKey} ${origin}/datasets/srcsys/diff
    ${withKey} -X POST ${origin}/api/idp/force
    ${withKey} ${origin}/datasets/srcsys/import -d '{"dataset_id": "RDC_12"}'

  Ctrl-C stops everything; npm start goes on where it stopped.
`;
}
