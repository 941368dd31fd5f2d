import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestSystem } from '../support/system.js';

/** Allows for a busy machine. A quiet machine needs a few seconds. */
const importMs = 240_000;

describe('an import of many files', () => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create();
    await system.startServer();
    await system.startWorker();
  });

  afterAll(() => system.stop());

  it(
    'should import a delivery when its entries exceed the memory limit',
    async () => {
      const folders = Array.from(
        { length: 36 },
        (_, at) => `DS-MANY/${String(at)}/${`${'long'.repeat(60)}/`.repeat(4)}`,
      );
      await system.deliver('SUB-MANY', Object.fromEntries(folders.map((folder) => [`${folder}first`, ''])));
      for (const folder of folders) {
        for (let at = 0; at < 1000; at += 1) writeFileSync(join(system.source, 'SUB-MANY', folder, String(at)), '');
      }
      const { body } = await system.post('/datasets/srcsys/import', { dataset_id: 'DS-MANY' });
      expect(await system.ended(body.id, importMs)).toMatchObject({ state: 'finished', result: { files: 36 * 1001 } });
    },
    importMs + 60_000,
  );
});
