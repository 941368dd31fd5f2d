/**
 * Writes the entries of an attacked account to the audit trail of a running system: a wrong password, a reset by a
 * one-time link, and a session that an administrator ends. Creates an account for these entries.
 * @throws Error if a request has an unexpected status
 */
export async function recordAccountEvents(origin: string, globalKey: string): Promise<void> {
  const send = async <T>(method: string, path: string, body: object, status: number, key = ''): Promise<T> => {
    const headers = { 'Content-Type': 'application/json', ...(key && { 'X-API-Key': key }) };
    const answer = await fetch(`${origin}${path}`, { method, headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (answer.status !== status) throw new Error(`${method} ${path}: expected ${String(status)}, received ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  const administer = <T>(method: string, path: string, status: number, body = {}): Promise<T> =>
    send<T>(method, `/api/admin/users${path}`, body, status, globalKey);
  const person = { first_name: 'Grace', last_name: 'Hopper', email: `grace.${String(Date.now())}@example.org` };
  const { id } = await administer<{ id: number }>('POST', '', 201, person);
  const login = person.email;
  const password = 'seven quiet otters paddle';
  const link = await administer<{ url: string }>('POST', `/${String(id)}/password-link`, 201, { add_password: true });
  await send('POST', '/api/session', { login, password: 'a wrong password' }, 403);
  await send('POST', '/api/session/password-link', { token: new URL(link.url).hash.slice(1), password }, 204);
  await send('POST', '/api/session', { login, password }, 200);
  const sessions = `/${String(id)}/sessions`;
  const answer = await fetch(`${origin}/api/admin/users${sessions}`, { headers: { 'X-API-Key': globalKey } });
  const { results } = (await answer.json()) as { results: { id: string }[] };
  for (const session of results) await administer('DELETE', `${sessions}/${session.id}`, 204);
}
