import type { RequestListener } from 'node:http';
import { ForwardingHeaders } from '../../scripts/gateway/forwarding-headers.ts';
import { Gateway, type GatewayLimits } from '../../scripts/gateway/gateway.ts';
import { RecordingServer } from './recording-server.ts';

/** A gateway in front of two recording servers. */
export class GatewayStage {
  readonly catalog: RecordingServer;
  readonly provisioner: RecordingServer;
  /** Port of the gateway. */
  readonly port: number;
  private readonly gateway: Gateway;

  private constructor(catalog: RecordingServer, provisioner: RecordingServer, gateway: Gateway, port: number) {
    this.catalog = catalog;
    this.provisioner = provisioner;
    this.gateway = gateway;
    this.port = port;
  }

  /** @param listener answers both services' requests; without it they answer with the recorded request */
  static async start(listener?: RequestListener, limits?: Partial<GatewayLimits>): Promise<GatewayStage> {
    const [catalog, provisioner] = [await RecordingServer.start(listener), await RecordingServer.start(listener)];
    const ports = { 'catalog-api': catalog.port, provisioner: provisioner.port };
    const headers = new ForwardingHeaders('secret of the stage', []);
    const gateway = new Gateway({ ports, headers, ...(limits && { limits }) });
    return new GatewayStage(catalog, provisioner, gateway, await gateway.listen(0, '127.0.0.1'));
  }

  async stop(): Promise<void> {
    await Promise.all([this.catalog.stop(), this.provisioner.stop()]);
    await this.gateway.close();
  }
}
