import { cookieNameAt, readCookie, setCookieAt } from './cookie.js';

const cookie = { name: 'catalog_session', value: 'a.b.c', maxAgeSeconds: 60 };

describe(setCookieAt.name, () => {
  it('should set HttpOnly and SameSite, and add Secure and __Host- when the origin is https', () => {
    expect(setCookieAt('http://127.0.0.1:3000', cookie)).toBe(
      'catalog_session=a.b.c; Path=/; HttpOnly; SameSite=Lax; Max-Age=60',
    );
    expect(setCookieAt('https://catalog.example.org', cookie)).toBe(
      '__Host-catalog_session=a.b.c; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure',
    );
  });
});

describe(readCookie.name, () => {
  it('should return the value when the name of a cookie matches completely', () => {
    expect(readCookie('x=1; catalog_session=a.b.c; y=2', 'catalog_session')).toBe('a.b.c');
    expect(readCookie('my_catalog_session=a.b.c', 'catalog_session')).toBeNull();
    expect(
      readCookie('catalog_session=a.b.c', cookieNameAt('https://catalog.example.org', 'catalog_session')),
    ).toBeNull();
  });

  it('should return null when the cookie is absent, empty or repeated', () => {
    expect(readCookie(undefined, 'catalog_session')).toBeNull();
    expect(readCookie('catalog_session=', 'catalog_session')).toBeNull();
    expect(readCookie('catalog_session=theirs; catalog_session=ours', 'catalog_session')).toBeNull();
  });
});
