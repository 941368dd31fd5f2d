import type { Problem } from '../model/problem.js';

/** Returns the problem that the operating system denies reading. @param path empty for the place itself */
export function deniedProblem(path: string): Problem {
  const message = `${path === '' ? 'The folder' : path} cannot be read: permission denied. Grant read permission to the provisioner.`;
  return { code: 'source.denied', ...(path !== '' && { path }), message };
}
