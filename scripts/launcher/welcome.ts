import { relative } from 'node:path';
import type { DataFolder } from './data-folder.ts';
import type { RunningSystem } from './system.ts';

/**
 * Returns the text that a person reads when the system is ready: the addresses, the owner of each key, and calls to try.
 * The text contains no key, because every start prints it. Only the first start shows the administrator's password.
 */
export function welcomeOf({ origin, keys, ports, isFirstStart }: RunningSystem, folder: DataFolder): string {
  const keysFile = relative(process.cwd(), folder.keysFile);
  const file = keysFile.startsWith('..') ? folder.keysFile : `./${keysFile}`;
  const inner = Object.entries(ports).map(([name, port]) => `${name} 127.0.0.1:${String(port)}`);
  const call = 'curl -sH "X-API-Key: $KEY"';
  return `
Ready: ${origin}

  Console       ${origin}/console             ${signIn(keys.admin, isFirstStart, file)}
  Catalog       ${origin}/docs                its interface, to read and to try
  Provisioner   ${origin}/provisioner/docs    its interface, to read and to try
  Data          ${folder.path}: deliveries in source/, imported data in storage/, logs in log/
  Inside        ${inner.join(', ')}

  Keys in ${file}, each with its owner:
    global      an administrator's program: reads and writes everything
    ${keys.user ? 'user        Ines Weber, a custodian: reads her datasets and her permissions' : 'user        none, because the database is not the sample'}
    ${keys.endpoint ? 'endpoint    the portal "Research Data Portal": reads the datasets that are exposed to it' : 'endpoint    none, because the database is not the sample'}

  To try next:
    KEY=$(node -p "require('${file}').global")
    ${call} ${origin}/api/datasets                  # then with the key \`endpoint\`: fewer
    ${call} ${origin}/datasets/srcsys/diff          # delivered, not imported yet
    ${call} ${origin}/datasets/srcsys/import -d '{"dataset_id": "RDC_12"}'
    ${call} -X POST ${origin}/api/idp/force         # synchronise the users

  Ctrl-C stops everything. The next npm start continues with the same data.
`;
}

function signIn(admin: RunningSystem['keys']['admin'], isFirstStart: boolean, file: string): string {
  if (!admin) return 'sign in as one of your administrators';
  const password = isFirstStart ? `${admin.password} (shown once, kept in ${file})` : `in ${file}`;
  return `sign in as ${admin.email}, password ${password}`;
}
