import type { IncomingMessage } from 'node:http';
import { connectionOptions, pairsOf, valuesOf } from './message-headers.ts';

/**
 * The only names that `Connection` may hold. None of them names a header that a service reads. Every other name could
 * remove a header from the forwarded request, for example the framing of the body, the caller's key or a proxy's header.
 */
const harmlessOptions = new Set(['close', 'keep-alive', 'proxy-connection', 'te', 'upgrade', 'http2-settings']);

const maxBytesDigits = 15;

/**
 * Returns the reason for which a request is refused with 400, or null if the request may be forwarded.
 *
 * Node's parser has already refused invalid requests. These rules refuse requests that two servers could read
 * differently, because such a request can hide another request.
 */
export function faultOf(request: IncomingMessage): string | null {
  return connectionFault(request) ?? nameFault(request) ?? framingFault(request) ?? hostFault(request);
}

/** Whether a body follows the headers of a request that has no fault. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function connectionFault({ rawHeaders }: IncomingMessage): string | null {
  const option = connectionOptions(rawHeaders).find((name) => !harmlessOptions.has(name));
  return option === undefined ? null : 'The header Connection names a header that belongs to the whole message.';
}

/** Programs that turn header names into variables read `_` and `-` as the same character. */
function nameFault({ rawHeaders }: IncomingMessage): string | null {
  const isOdd = pairsOf(rawHeaders).some(([name]) => name.includes('_'));
  return isOdd ? 'The name of a header holds an underscore; write it with a hyphen.' : null;
}

function framingFault({ rawHeaders, httpVersion }: IncomingMessage): string | null {
  const lengths = valuesOf(rawHeaders, 'content-length');
  const encodings = valuesOf(rawHeaders, 'transfer-encoding');
  if (lengths.length + encodings.length > 1) return 'The request states the length of its body more than once.';
  if (lengths.some((length) => !/^\d+$/.test(length) || length.length > maxBytesDigits)) {
    return 'Content-Length must be a whole number of bytes.';
  }
  if (encodings.some((encoding) => encoding.toLowerCase() !== 'chunked')) {
    return 'Transfer-Encoding must be "chunked"; no other encoding is read.';
  }
  return encodings.length > 0 && httpVersion !== '1.1' ? 'Transfer-Encoding needs HTTP/1.1.' : null;
}

function hostFault({ rawHeaders, httpVersion }: IncomingMessage): string | null {
  const hosts = valuesOf(rawHeaders, 'host').length;
  if (hosts > 1) return 'The header Host came more than once.';
  return hosts === 0 && httpVersion === '1.1' ? 'The header Host is missing.' : null;
}
