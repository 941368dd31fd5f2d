/**
 * The baseline of the catalog's benchmarks: the same answers with nothing around them. A `node:http` server that pipes
 * `COPY` out of Postgres, and Fastify routes that run the catalog's final statements: no framework above Fastify, no
 * key, no log, no parameter checked. Arguments: database URL, port.
 */
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { createServer } from 'node:http';
import { Pool } from 'pg';
import { to as copyTo } from 'pg-copy-streams';

const [databaseUrl, port] = process.argv.slice(2);
const pool = new Pool({
  connectionString: databaseUrl,
  max: 20,
  options: '-c TimeZone=UTC -c DateStyle=ISO -c jit=off',
});
const fastify = Fastify();

fastify.get('/datasets', async (request: FastifyRequest, reply: FastifyReply) => {
  const { rows } = await pool.query<{ version: string }>(
    'SELECT version FROM view_versions WHERE view = $1 AND list = $2',
    ['all', 'datasets'],
  );
  const etag = `"${rows[0]?.version ?? ''}"`;
  void reply.header('etag', etag);
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.code(200).send('');
});

fastify.get<{ Params: { id: string; user: string } }>('/projects/:id/for/:user', async (request, reply) => {
  const { rows } = await pool.query<{ item: string }>(
    `SELECT '{"source":' || to_json(coalesce(document.source, $1::text)) || ',' || document.body || '}' AS item
       FROM project_documents AS document
      WHERE document.id = $2::integer AND document.id IN (
        SELECT project_id FROM project_custodians WHERE user_id = $3::integer
        UNION ALL SELECT project_id FROM grants WHERE user_id = $3::integer AND project_id IS NOT NULL)`,
    ['https://catalog.example.org', request.params.id, request.params.user],
  );
  return reply.type('application/json; charset=utf-8').send(rows[0]?.item);
});

const { termSearch } = (await import(
  new URL('../apps/catalog-api/dist/records/terms/terms.repository.js', import.meta.url).href
)) as { termSearch: string };
fastify.get<{ Querystring: { search: string } }>('/terms', async (request, reply) => {
  const { rows } = await pool.query<{ total: number; results: unknown[] }>(termSearch, [
    'gene',
    request.query.search,
    25,
    0,
  ]);
  return reply.send(rows[0]);
});

const { permissionsOf } = (await import(
  new URL('../apps/catalog-api/dist/access/permissions/permissions.repository.js', import.meta.url).href
)) as { permissionsOf: string };
fastify.get<{ Params: { subject: string } }>('/permissions/:subject', async (request, reply) => {
  const { rows } = await pool.query<{ datasets: unknown[] }>(permissionsOf, [request.params.subject, null]);
  return reply.send(rows[0]?.datasets);
});

await fastify.ready();
createServer((request, response) => {
  if (request.url !== '/copy') {
    fastify.routing(request, response);
    return;
  }
  void pool.connect().then((client) => {
    const copied = `COPY (SELECT ',{"source":' || to_json(coalesce(document.source, 'https://catalog.example.org'::text))
      || ',' || document.body || ',"storages":' || document.storages || '}'
      FROM dataset_documents AS document ORDER BY document.created_at, document.id LIMIT (SELECT NULL::bigint))
      TO STDOUT WITH (FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01')`;
    const rows = client.query(copyTo(copied));
    rows.pipe(response).once('finish', () => {
      client.release();
    });
  });
}).listen(Number(port), '127.0.0.1');
