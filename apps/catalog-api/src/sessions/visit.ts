import { cookieNameAt, readCookie, sessionCookieName, type Principal, type SessionRequest } from '@rdc/auth';
import type { FastifyReply } from 'fastify';

/** A request to sign in, ask who is signed in, or sign out: where it came from, and the cookies it leaves behind. */
export interface Visit {
  /** The origin under which the browser sees us. */
  readonly origin: string;
  readonly address: string;
  /** The header `Origin`: the site whose page asks; absent when no page does. */
  readonly askedFrom: string | undefined;
  /** Whether a person is to see the answer: a browser goes there, and no script asks. */
  readonly asksForPage: boolean;
  readonly caller: Principal;
  /** The value of a cookie of ours. */
  cookie(name: string): string | null;
  /** Adds a header `Set-Cookie` to the answer. */
  leave(setCookie: string): void;
}

/** @param reply the answer, in which cookies are left; it is never to be kept by anybody on the way */
export function visitOf(request: SessionRequest, reply: FastifyReply, caller: Principal): Visit {
  void reply.header('Cache-Control', 'no-store');
  return {
    origin: request.servedOrigin,
    address: request.clientAddress,
    askedFrom: request.headers.origin,
    asksForPage: request.headers['accept']?.includes('text/html') ?? false,
    caller,
    cookie: (name) => readCookie(request.headers.cookie, cookieNameAt(request.servedOrigin, name)),
    leave: (setCookie) => void reply.header('Set-Cookie', setCookie),
  };
}

/** The token in the session cookie, good or not. */
export function sessionTokenOf(visit: Visit): string | null {
  return visit.cookie(sessionCookieName);
}
