import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { OverviewResponse } from './overview.dto.js';

const counts = `
  WITH published AS (
    SELECT project_id FROM datasets
     WHERE EXISTS (SELECT FROM exposures WHERE dataset_id = datasets.id AND deprecated_at IS NULL)),
  current_accesses AS (
    SELECT status, expires_at FROM accesses
     WHERE status IN ('precreated', 'suspended')
        OR status = 'active' AND (expires_at IS NULL OR expires_at > now()))
  SELECT json_build_object('total', (SELECT count(*) FROM projects),
                           'published', (SELECT count(DISTINCT project_id) FROM published)) AS projects,
         json_build_object('total', (SELECT count(*) FROM datasets),
                           'published', (SELECT count(*) FROM published)) AS datasets,
         (SELECT json_build_object('total', count(*), 'published', count(*) FILTER (WHERE published)) FROM partners)
           AS partners,
         (SELECT json_build_object('total', count(*), 'published', count(*) FILTER (WHERE published)) FROM cohorts)
           AS cohorts,
         (SELECT count(*)::integer FROM contracts) AS contracts,
         (SELECT count(*)::integer FROM users WHERE active AND NOT technical) AS users,
         (SELECT json_build_object(
                   'in_force', count(*) FILTER (WHERE status = 'active'),
                   'ending', count(*) FILTER (WHERE status = 'active' AND expires_at < now() + interval '30 days'),
                   'waiting', count(*) FILTER (WHERE status = 'precreated'),
                   'suspended', count(*) FILTER (WHERE status = 'suspended'),
                   'refused', (SELECT count(*) FROM refused_entitlements)) FROM current_accesses) AS accesses,
         coalesce((SELECT jsonb_array_length(report -> 'conflicts') FROM account_syncs ORDER BY id DESC LIMIT 1), 0)
           AS sync_conflicts,
         (SELECT json_build_object(
                   'disease', count(*) FILTER (WHERE category = 'disease'),
                   'phenotype', count(*) FILTER (WHERE category = 'phenotype'),
                   'study', count(*) FILTER (WHERE category = 'study'),
                   'gene', count(*) FILTER (WHERE category = 'gene')) FROM terms WHERE NOT obsolete) AS terms`;

/** Counts records in the database. */
@Injectable()
export class OverviewRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Counts everything in one statement, so that all numbers are of the same moment. */
  async count(): Promise<OverviewResponse> {
    const [row] = await this.dataSource.query<[OverviewResponse]>(counts);
    return row;
  }
}
