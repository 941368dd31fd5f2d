import { Injectable } from '@nestjs/common';
import { request as sendHttp, type IncomingMessage } from 'node:http';
import { request as sendHttps } from 'node:https';
import { Webhook } from 'standardwebhooks';
import { EventsSettings } from './events.settings.js';
import { ReceiverAddresses } from './receiver-address.js';

/** The time after which an attempt without a complete response fails. */
export const attemptTimeoutMs = 15_000;

/** The maximum number of bytes of a response that are read. */
const maxResponseBytes = 16 * 1024;

/** An event with its receiver. */
export interface OutgoingMessage {
  readonly id: string;
  readonly url: string;
  readonly payload: string;
  /** The secrets that sign the event. During a rotation, there are two. */
  readonly secrets: readonly string[];
}

/** The response to an attempt: its status, and the problem if the receiver did not accept the event. */
export interface AttemptResult {
  /** null if there was no response. */
  readonly status: number | null;
  /** null if the receiver accepted the event. */
  readonly problem: string | null;
}

/** Sends events by the Standard Webhooks specification: one POST without redirects, with a signature of each secret. */
@Injectable()
export class EventSender {
  private readonly addresses: ReceiverAddresses;

  constructor({ EVENT_ALLOWED_ADDRESSES }: EventsSettings) {
    this.addresses = new ReceiverAddresses(EVENT_ALLOWED_ADDRESSES);
  }

  /** Sends an event once. The method never throws: a problem of the receiver is part of the result. */
  async send(message: OutgoingMessage): Promise<AttemptResult> {
    try {
      const status = await this.post(message);
      if (status >= 200 && status < 300) return { status, problem: null };
      const isRedirect = status >= 300 && status < 400;
      return {
        status,
        problem: `The receiver answered ${String(status)}.${isRedirect ? ' Redirects are not followed: change the URL.' : ''}`,
      };
    } catch (error) {
      return { status: null, problem: problemOf(error as NodeJS.ErrnoException) };
    }
  }

  /** Returns the status of the response. */
  private post({ id, url: address, payload, secrets }: OutgoingMessage): Promise<number> {
    const url = new URL(address);
    this.addresses.check(url);
    const now = new Date();
    const signatures = secrets.map((secret) => new Webhook(secret).sign(id, now, payload));
    const options = {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(payload),
        'User-Agent': 'catalog-api',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': signatures.join(' '),
      },
      lookup: this.addresses.lookupFor(url),
      signal: AbortSignal.timeout(attemptTimeoutMs),
    };
    return new Promise((resolve, reject) => {
      const send = url.protocol === 'https:' ? sendHttps : sendHttp;
      send(url, options, (response) => {
        discard(response).then(() => {
          resolve(response.statusCode ?? 0);
        }, reject);
      })
        .on('error', reject)
        .end(payload);
    });
  }
}

/** Reads a response up to a limit, so that the connection can be used again. A longer response ends the connection. */
async function discard(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxResponseBytes) return;
  }
}

function problemOf(error: NodeJS.ErrnoException): string {
  if (error.name === 'RefusedAddressError') return error.message;
  if (error.name === 'TimeoutError' || error.name === 'AbortError') {
    return `The receiver did not answer within ${String(attemptTimeoutMs / 1000)} seconds.`;
  }
  return `The receiver is unreachable: ${error.code ?? error.message}.`;
}
