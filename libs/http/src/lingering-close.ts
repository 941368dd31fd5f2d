import type { FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';

const maxLingerMs = 5000;
const maxLingerBytes = 64 * 1024 * 1024;
const checkMs = 100;

/**
 * Continues to read for a limited time after a response that ends its connection, for example 413.
 *
 * A connection that is closed with unread bytes is reset. If a gateway is still sending the body, its write fails. Many
 * gateways then answer 502 or 503 instead of the response that has already arrived.
 */
export function lingerOnClose(instance: FastifyInstance): void {
  instance.server.on('connection', (socket: Socket) => {
    const destroySoon = socket.destroySoon.bind(socket);
    socket.destroySoon = () => {
      if (socket.destroyed || socket.readableEnded) destroySoon();
      else linger(socket);
    };
  });
}

function linger(socket: Socket): void {
  const maxBytes = socket.bytesRead + maxLingerBytes;
  const until = performance.now() + maxLingerMs;
  const checking = setInterval(() => {
    if (socket.bytesRead > maxBytes || performance.now() > until) socket.destroy();
  }, checkMs);
  socket.once('close', () => {
    clearInterval(checking);
  });
  socket.once('end', () => socket.destroy());
  socket.end();
}
