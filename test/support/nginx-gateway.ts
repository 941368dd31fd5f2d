import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.ts';
import { freePort } from '../../scripts/free-port.ts';

/** Ports of the services on 127.0.0.1. */
export interface NginxUpstreams {
  readonly 'catalog-api': number;
  readonly provisioner: number;
}

/** Path of Debian's package, because `/usr/sbin` is not in every account's PATH. */
const nginx = '/usr/sbin/nginx';

/** The `http` block into which nginx's image includes the template; all files are below the prefix. */
const aroundTemplate = (server: string): string => `
daemon off; worker_processes 2; pid nginx.pid; error_log stderr crit;
events { worker_connections 1024; }
http {
  default_type application/octet-stream; sendfile on; keepalive_timeout 65;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
${server}
}`;

/** The gateway of docker-compose.yml in Debian's nginx, in front of servers on this machine. */
export class NginxGateway {
  readonly port: number;
  private readonly folder: string;
  private readonly child: ChildProcess;

  private constructor(port: number, folder: string, child: ChildProcess) {
    this.port = port;
    this.folder = folder;
    this.child = child;
  }

  /** @throws Error if nginx is not installed or refuses the template */
  static async start(upstreams: NginxUpstreams, secret: string): Promise<NginxGateway> {
    const port = await freePort();
    const folder = await mkdtemp(join(tmpdir(), 'data-catalog-nginx-'));
    const template = await readFile('compose/gateway.conf.template', 'utf8');
    const server = template
      .replaceAll('${GATEWAY_SECRET}', secret)
      .replace('server catalog-api:3000', `server 127.0.0.1:${String(upstreams['catalog-api'])}`)
      .replace('server provisioner:3000', `server 127.0.0.1:${String(upstreams.provisioner)}`)
      .replace('listen 8080', `listen 127.0.0.1:${String(port)}`)
      .replace('/dev/stdout', join(folder, 'access.log'))
      .replace('/dev/stderr', join(folder, 'error.log'));
    await writeFile(join(folder, 'nginx.conf'), aroundTemplate(server));
    const child = spawn(nginx, ['-p', folder, '-c', join(folder, 'nginx.conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const gateway = new NginxGateway(port, folder, child);
    await gateway.listens();
    return gateway;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null) {
      const exited = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await exited;
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  private async listens(): Promise<void> {
    let printed = '';
    this.child.stderr?.on('data', (text: Buffer) => (printed += text.toString()));
    const failed = new Promise<never>((_, reject) => {
      this.child.once('error', reject).once('exit', (code) => {
        reject(new Error(`${nginx} ended with ${String(code)}: ${printed}`));
      });
    });
    failed.catch(() => undefined);
    await until(() => Promise.race([answersAt(this.port), failed]));
  }
}

function answersAt(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}
