import { symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderSource } from './folder/folder-source.js';
import { summaryOf } from './place-summary.js';
import { surveyPlace } from './survey.js';

describe(surveyPlace.name, () => {
  it('should count every problem of a delivery of nothing else, and name so many as fit', async () => {
    const root = await mkdtemp(join(tmpdir(), 'survey-'));
    try {
      await mkdir(join(root, 'SUB-1/DS-1'), { recursive: true });
      for (let at = 0; at < 10_050; at++) symlinkSync('nowhere', join(root, 'SUB-1/DS-1', `link-${String(at)}`));
      const place = { kind: 'dataset', submission: 'SUB-1', id: 'DS-1' } as const;
      const survey = await surveyPlace(new FolderSource(root, '.ready'), place, { symlinks: 'refuse' });
      expect([survey.files, survey.problems.count, survey.problems.named.length]).toEqual([0, 10_050, 10_000]);
      expect(summaryOf(survey, 0).problems).toEqual(['file.symlink']);
    } finally {
      await rm(root, { recursive: true });
    }
  });
});
