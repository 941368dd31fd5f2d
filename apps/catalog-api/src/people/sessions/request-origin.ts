import { cookieNameAt, readCookie, sessionCookieName, type Principal, type SessionRequest } from '@rdc/auth';
import type { FastifyReply } from 'fastify';

/** A request to sign in, ask who is signed in, or sign out: where it came from, and the cookies it leaves behind. */
export interface RequestOrigin {
  /** The origin under which the browser sees us. */
  readonly origin: string;
  /** The address from which the request came. */
  readonly address: string;
  /** The beginning of the header `User-Agent`, without control characters; null if there is none. */
  readonly userAgent: string | null;
  /** The header `Origin`: the site whose page asks; absent when no page does. */
  readonly pageOrigin: string | undefined;
  /** Whether a person is to see the answer: a browser goes there, and no script asks. */
  readonly acceptsHtml: boolean;
  readonly caller: Principal;
  /** The value of a cookie of ours. */
  cookie(name: string): string | null;
  /** Adds a header `Set-Cookie` to the answer. */
  setCookie(setCookie: string): void;
}

/** @param reply the answer, in which cookies are left; it is never to be kept by anybody on the way */
export function requestOriginOf(request: SessionRequest, reply: FastifyReply, caller: Principal): RequestOrigin {
  void reply.header('Cache-Control', 'no-store');
  return {
    origin: request.servedOrigin,
    address: request.clientAddress,
    userAgent: shortened(request.headers['user-agent']),
    pageOrigin: request.headers.origin,
    acceptsHtml: request.headers['accept']?.includes('text/html') ?? false,
    caller,
    cookie: (name) => readCookie(request.headers.cookie, cookieNameAt(request.servedOrigin, name)),
    setCookie: (setCookie) => void reply.header('Set-Cookie', setCookie),
  };
}

/** Characters of a user agent that are kept: the browser and the system stand at its beginning. */
const maxUserAgentLength = 200;

function shortened(userAgent: string | string[] | undefined): string | null {
  if (typeof userAgent !== 'string') return null;
  return userAgent.replace(/\p{Cc}+/gu, ' ').slice(0, maxUserAgentLength);
}

/** The token in the session cookie, good or not. */
export function sessionTokenOf(request: RequestOrigin): string | null {
  return request.cookie(sessionCookieName);
}
