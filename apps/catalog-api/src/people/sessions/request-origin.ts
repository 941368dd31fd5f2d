import { cookieNameAt, readCookie, sessionCookieName, type Principal, type SessionRequest } from '@rdc/auth';
import type { FastifyReply } from 'fastify';

/** A request to sign in, to read the session or to sign out: its origin, its caller and its cookies. */
export interface RequestOrigin {
  /** The origin under which the browser reaches the catalog. */
  readonly origin: string;
  /** The address from which the request came. */
  readonly address: string;
  /** The first 200 characters of the header `User-Agent`, without control characters; null if there is no header. */
  readonly userAgent: string | null;
  /** The header `Origin`: the origin of the page that sent the request; undefined if no page sent it. */
  readonly pageOrigin: string | undefined;
  /** Whether the browser navigates to the address and displays the answer, in contrast to a request by a script. */
  readonly acceptsHtml: boolean;
  readonly caller: Principal;
  /** Returns the value of a cookie of the catalog; null if the request has none. */
  cookie(name: string): string | null;
  /** Adds a header `Set-Cookie` to the answer. */
  setCookie(setCookie: string): void;
}

/** Returns the origin of a request. Marks the answer as not cacheable. @param reply the answer that gets cookies */
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

/** The number of characters of a user agent that are stored. The first characters name the browser and the system. */
const maxUserAgentLength = 200;

function shortened(userAgent: string | string[] | undefined): string | null {
  if (typeof userAgent !== 'string') return null;
  return userAgent.replace(/\p{Cc}+/gu, ' ').slice(0, maxUserAgentLength);
}

/** Returns the token in the session cookie, even if the token is invalid. */
export function sessionTokenOf(request: RequestOrigin): string | null {
  return request.cookie(sessionCookieName);
}
