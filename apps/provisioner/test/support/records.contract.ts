import type { Records } from '../../src/model/records.js';

/** Tests the contract of records. */
export function itIsRecords(open: () => Records): void {
  it('should return the last text of a record until the record is removed', async () => {
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

  it('should list a new version when a record changes', async () => {
    const records = open();
    const list = async (): Promise<readonly unknown[]> => records.list('folder');
    await records.write('folder/one', '1');
    const previous = await list();
    expect(previous).toEqual([{ name: 'one', version: expect.any(String) as string }]);
    expect(await list()).toEqual(previous);
    await records.write('folder/one', '2');
    expect(await list()).not.toEqual(previous);
  });

  it('should let one caller create a record when ten try at the same time', async () => {
    const created = await Promise.all(
      Array.from({ length: 10 }, (_, index) => open().create('folder/race', String(index))),
    );
    expect(created.filter(Boolean)).toHaveLength(1);
    expect(await open().read('folder/race')).toBe(String(created.indexOf(true)));
  });

  it('should remove a record only if its text matches', async () => {
    const records = open();
    await records.create('folder/one', 'old');
    await records.removeIf('folder/one', (text) => text === 'new');
    expect(await records.read('folder/one')).toBe('old');
    await records.removeIf('folder/one', (text) => text === 'old');
    await records.removeIf('folder/one', () => true);
    expect([await records.read('folder/one'), await records.names('folder')]).toEqual([null, []]);
  });
}
