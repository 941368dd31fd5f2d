const realm = `${process.env['TEST_KEYCLOAK_URL'] ?? ''}/realms/ardenne`;
const admin = `${process.env['TEST_KEYCLOAK_URL'] ?? ''}/admin/realms/ardenne`;

describe('the test realm of Keycloak', () => {
  it('should let the client of the synchronisation read accounts but not change them', async () => {
    const headers = await headersOf('catalog-accounts');
    const listed = await fetch(`${admin}/users?briefRepresentation=true&max=100`, { headers });
    const accounts = (await listed.json()) as { username: string }[];
    // Other suites create accounts at the same time.
    expect(accounts.map(({ username }) => username)).toEqual(
      expect.arrayContaining(['jonas.keller', 'lea.thill', 'marie.weber', 'nora.disabled', 'paul.unverified']),
    );
    const changed = await fetch(`${admin}/users`, { method: 'POST', headers, body: '{}' });
    expect(changed.status).toBe(403);
  });

  it('should let the client of the suites create and remove accounts', async () => {
    const headers = await headersOf('fixtures');
    const body = JSON.stringify({ username: 'somebody.new', enabled: true });
    const made = await fetch(`${admin}/users`, { method: 'POST', headers, body });
    expect(made.status).toBe(201);
    const removed = await fetch(made.headers.get('location') ?? '', { method: 'DELETE', headers });
    expect(removed.status).toBe(204);
  });
});

async function headersOf(client: string): Promise<Record<string, string>> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client,
    client_secret: `${client}-secret`,
  });
  const answer = await fetch(`${realm}/protocol/openid-connect/token`, { method: 'POST', body });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
}
