/** The addresses of DAISY that have another name in this catalog, with the path that answers there. */
export const daisyAddresses: ReadonlyMap<string, string> = new Map([
  ['/api/rems', '/api/accessreq'],
  ['/api/keycloak/force', '/api/idp/force'],
]);
