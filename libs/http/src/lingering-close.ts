import type { FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';

const maxLingerMs = 5000;
const maxLingerBytes = 64 * 1024 * 1024;
const lookEveryMs = 100;

/**
 * Reads on for a while after an answer that ends its connection, for example 413, before the connection is closed.
 *
 * A connection that is closed with unread bytes is reset. A gateway that still sends the body then fails to write, and
 * many gateways answer 502 or 503 instead of the answer that has already arrived.
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
  const looking = setInterval(() => {
    if (socket.bytesRead > maxBytes || performance.now() > until) socket.destroy();
  }, lookEveryMs);
  socket.once('close', () => {
    clearInterval(looking);
  });
  socket.once('end', () => socket.destroy());
  socket.end();
}
