import type { Records } from '../../src/model/records.js';

/** What every keeper of records must do. */
export function itIsRecords(open: () => Records): void {
  it('should keep what is written last, and nothing of what is removed', async () => {
    const records = open();
    expect([await records.read('folder/one'), await records.names('folder')]).toEqual([null, []]);
    await records.write('folder/one', '1');
    await records.replace('folder/one', '2');
    await records.write('folder/two', '2');
    expect(await records.readAll(['folder/two', 'folder/none', 'folder/one'])).toEqual(['2', null, '2']);
    await records.remove('folder/one');
    await records.remove('folder/one');
    expect([await records.read('folder/one'), await records.names('folder')]).toEqual([null, ['two']]);
  });

  it('should tell that a record is another', async () => {
    const records = open();
    const list = async (): Promise<readonly unknown[]> => records.list('folder');
    await records.write('folder/one', '1');
    const former = await list();
    expect(former).toEqual([{ name: 'one', version: expect.any(String) as string }]);
    expect(await list()).toEqual(former);
    await records.write('folder/one', '2');
    expect(await list()).not.toEqual(former);
  });

  it('should let one of many make a record', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, (_, at) => open().create('folder/race', String(at))));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await open().read('folder/race')).toBe(String(made.indexOf(true)));
  });

  it('should remove a record if it is the one meant only', async () => {
    const records = open();
    await records.create('folder/one', 'old');
    await records.removeIf('folder/one', (text) => text === 'new');
    expect(await records.read('folder/one')).toBe('old');
    await records.removeIf('folder/one', (text) => text === 'old');
    await records.removeIf('folder/one', () => true);
    expect([await records.read('folder/one'), await records.names('folder')]).toEqual([null, []]);
  });
}
