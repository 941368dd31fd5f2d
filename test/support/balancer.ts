import { once } from 'node:events';
import { Agent, createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** One of several equal processes. */
export interface Backend {
  readonly port: number;
  isReady(): Promise<boolean>;
}

const lookEveryMs = 50;

/**
 * A balancer that works like an ingress. It sends each request once, to the next of the processes that were ready at the
 * last check. If a process fails, the request fails. No request is repeated.
 */
export class Balancer {
  private readonly server: Server;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly stopping = new AbortController();
  private readonly backends: () => readonly Backend[];
  private ready: readonly Backend[] = [];
  private turn = 0;

  private constructor(backends: () => readonly Backend[]) {
    this.backends = backends;
    this.server = createServer((request, response) => {
      const backend = this.ready[this.turn++ % this.ready.length];
      const { method, url: path, headers } = request;
      const onward = send({ agent: this.agent, host: '127.0.0.1', port: backend?.port, method, path, headers });
      onward.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      });
      onward.on('error', () => response.destroy());
      request.pipe(onward);
    });
  }

  /** @param backends returns the current processes; called repeatedly, because processes start and end */
  static async start(backends: () => readonly Backend[]): Promise<Balancer> {
    const balancer = new Balancer(backends);
    await balancer.look();
    void balancer.keepLooking();
    balancer.server.listen(0, '127.0.0.1');
    await once(balancer.server, 'listening');
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  stop(): void {
    this.stopping.abort();
    this.server.closeAllConnections();
    this.server.close();
    this.agent.destroy();
  }

  private async keepLooking(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await pause(lookEveryMs);
      await this.look();
    }
  }

  private async look(): Promise<void> {
    const all = this.backends();
    const states = await Promise.all(all.map((each) => each.isReady()));
    this.ready = all.filter((_, index) => states[index]);
  }
}
