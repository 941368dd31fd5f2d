import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number; readonly boolValue?: boolean };
}

/** A span in OTLP's JSON. */
interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

/** A received span. */
export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** The id of the parent; `''` for the root. */
  readonly parentId: string;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer' | 'unspecified';
  readonly attributes: Readonly<Record<string, unknown>>;
}

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const;

/** A receiver of traces by OTLP over HTTP on a free port of the loopback, like a collector. */
export class SpanReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** All received bodies. */
  received = '';
  headers: IncomingHttpHeaders = {};
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      void text(request).then((body) => {
        if (request.url === '/v1/traces') this.take(body);
        this.headers = request.headers;
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
      });
    });
  }

  static async start(): Promise<SpanReceiver> {
    const receiver = new SpanReceiver();
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  /** The value for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  /** Returns the spans of a trace as a tree: a line `service: name` each, children indented and sorted by name. */
  treeOf(traceId: string): string[] {
    const all = this.spans.filter((span) => span.traceId === traceId);
    const known = new Set(all.map(({ spanId }) => spanId));
    const below = (parent: ReceivedSpan | null, depth: number): string[] =>
      all
        .filter(({ parentId }) => (parent ? parentId === parent.spanId : !known.has(parentId)))
        .sort((one, other) => (one.name < other.name ? -1 : 1))
        .flatMap((span) => [`${' '.repeat(depth)}${span.service}: ${span.name}`, ...below(span, depth + 2)]);
    return below(null, 0);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private take(body: string): void {
    this.received += body;
    for (const { resource, scopeSpans } of (JSON.parse(body) as Sent).resourceSpans) {
      const service = String(valuesOf(resource.attributes)['service.name']);
      for (const { spans } of scopeSpans) this.spans.push(...spans.map((span) => spanOf(service, span)));
    }
  }
}

function spanOf(service: string, { traceId, spanId, parentSpanId, name, kind, attributes }: SentSpan): ReceivedSpan {
  const values = valuesOf(attributes);
  const parentId = parentSpanId ?? '';
  return { service, traceId, spanId, parentId, name, kind: kinds[kind] ?? 'unspecified', attributes: values };
}

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
