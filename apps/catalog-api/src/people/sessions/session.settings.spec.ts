import { catalogSettings } from '../../app/catalog.settings.js';
import { SessionSettings } from './session.settings.js';

const production = {
  ...{ NODE_ENV: 'production', DATABASE_URL: 'postgres://a@b/c', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' },
  ...{ KEY_HASH_SECRET: 'x'.repeat(64), SESSION_SECRET: 'x'.repeat(64) },
};

describe('OIDC_ISSUER when NODE_ENV is production', () => {
  it.each(['https://id.example.org/realms/rdc', 'http://keycloak.localhost:8081/realms/rdc'])(
    'should accept the issuer %s',
    (issuer) => {
      expect(catalogSettings({ ...production, OIDC_ISSUER: issuer }).get(SessionSettings).OIDC_ISSUER).toBe(issuer);
    },
  );

  it.each(['http://id.example.org', 'http://keycloak:8080', 'http://localhost.example.org', 'no address'])(
    'should refuse the issuer %s',
    (issuer) => {
      expect(() => catalogSettings({ ...production, OIDC_ISSUER: issuer })).toThrow('OIDC_ISSUER must be');
    },
  );
});
