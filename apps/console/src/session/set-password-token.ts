/** The page of a one-time link. */
export const setPasswordPath = '/set-password';

/** The token of the one-time link that opened this page, or `''` if another address opened it. */
export const linkToken: string = takeToken();

/** Reads the token from the fragment, and removes the fragment from the address bar and the browser's history. */
function takeToken(): string {
  if (!location.pathname.endsWith(`/console${setPasswordPath}`)) return '';
  const token = location.hash.slice(1);
  if (token !== '') history.replaceState(history.state, '', location.pathname);
  return token;
}
