import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as it reached a server. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  /** Values by lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/**
 * An HTTP server that records every request. It reads HTTP as leniently as Node can, so that it records everything that a
 * gateway forwards. Without a listener, it answers each request with the recorded request in JSON.
 */
export class RecordingServer {
  readonly requests: RecordedRequest[] = [];
  private readonly server: Server;

  private constructor(listener?: RequestListener) {
    this.server = createServer({ insecureHTTPParser: true, requireHostHeader: false }, (request, response) => {
      const { method = '', url = '', headers } = request;
      if (listener) {
        this.requests.push({ method, url, headers, body: '' });
        listener(request, response);
        return;
      }
      const answer = (body: string): void => {
        const recorded = { method, url, headers, body };
        this.requests.push(recorded);
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify(recorded));
      };
      text(request).then(answer, () => undefined); // a request whose body breaks off is none
    });
  }

  static async start(listener?: RequestListener): Promise<RecordingServer> {
    const recording = new RecordingServer(listener);
    recording.server.listen(0, '127.0.0.1');
    await once(recording.server, 'listening');
    return recording;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Number of connections that are open. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.getConnections((error, count) => {
        if (error) reject(error);
        else resolve(count);
      });
    });
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close').catch(() => undefined);
  }
}
