/** The options of a request by a page. */
export interface PageRequest extends RequestInit {
  /** The body, which is sent as JSON. */
  readonly json?: unknown;
}

/** A client of one origin that stores cookies like a browser. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** The headers `Set-Cookie` of the last answer. */
  setCookies: readonly string[] = [];
  /** The CSRF token of the session, which pages of the console send with every request. */
  csrf: string | undefined;

  /** @param origin `http://127.0.0.1:<port>` */
  constructor(readonly origin: string) {}

  /** Sends a request like a page of the origin. Does not follow redirects. */
  async fetch(path: string, { json, headers, ...rest }: PageRequest = {}): Promise<Response> {
    const response = await fetch(new URL(path, this.origin), {
      redirect: 'manual',
      ...rest,
      ...(json !== undefined && { body: JSON.stringify(json) }),
      headers: {
        ...(this.cookies.size > 0 && { Cookie: this.cookieHeader() }),
        ...(rest.method !== undefined && { Origin: this.origin }),
        ...(this.csrf !== undefined && { 'X-CSRF-Token': this.csrf }),
        ...(headers as Record<string, string> | undefined),
      },
    });
    this.keep(response);
    await response.clone().arrayBuffer(); // reading the body releases the connection
    return response;
  }

  /** Signs in and stores the CSRF token. Returns the response. */
  async signIn(login: string, password: string): Promise<Response> {
    const response = await this.fetch('/api/session', { method: 'POST', json: { login, password } });
    if (response.ok) this.csrf = ((await response.clone().json()) as { csrf: string }).csrf;
    return response;
  }

  cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  private keep(response: Response): void {
    this.setCookies = response.headers.getSetCookie();
    for (const line of this.setCookies) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      const name = pair.slice(0, at);
      if (/;\s*max-age=0/i.test(line) || at === pair.length - 1) this.cookies.delete(name);
      else this.cookies.set(name, pair.slice(at + 1));
    }
  }
}
