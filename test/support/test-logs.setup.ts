import { noteUsed, openLog } from './test-logs.ts';

const headersOfSecrets = ['x-api-key', 'x-csrf-token', 'x-gateway-secret'];
/** Query parameters of every address that contain a secret. */
const parametersOfSecrets = ['API_KEY'];
/** Query parameters with a secret of the address to which an issuer redirects. */
const parametersOfLogins = ['code', 'state'];

const log = openLog('in-process');
if (log !== undefined) {
  // Logs for the standard output of this process are written to the file. Other output of a suite is unchanged.
  Object.defineProperty(process, 'stdout', { value: Object.create(process.stdout, { fd: { value: log } }) });
  const ask = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    noteRequest(input, init);
    const response = await ask(input, init);
    for (const cookie of response.headers.getSetCookie()) noteUsed(valueOf(cookie.split(';', 1)[0] ?? ''));
    return response;
  };
}

/** Notes the keys, tokens, cookies and passwords that a request carries. */
function noteRequest(input: Parameters<typeof fetch>[0], init: RequestInit = {}): void {
  const [address, given] = input instanceof Request ? [input.url, input.headers] : [input.toString(), undefined];
  const headers = new Headers(init.headers ?? given);
  for (const name of headersOfSecrets) noteUsed(headers.get(name));
  noteUsed(headers.get('authorization')?.split(' ').at(-1));
  for (const cookie of headers.get('cookie')?.split('; ') ?? []) noteUsed(valueOf(cookie));
  const { pathname, searchParams } = new URL(address);
  const names = pathname.includes('/oidc') ? [...parametersOfSecrets, ...parametersOfLogins] : parametersOfSecrets;
  for (const name of names) noteUsed(searchParams.get(name));
  const body = typeof init.body === 'string' ? init.body : '';
  for (const [, password] of body.matchAll(/"password":"([^"\\]+)"/g)) noteUsed(password);
}

function valueOf(cookie: string): string {
  return cookie.slice(cookie.indexOf('=') + 1);
}
