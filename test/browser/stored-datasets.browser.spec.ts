import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { consoleSuite } from './support/console-suite.ts';

describe('stored datasets in the console', () => {
  const { system, visitor } = consoleSuite(() => system.start());
  const ask = async (name: string): Promise<void> => {
    await visitor.press(name);
    await visitor.confirm(name);
  };
  const cell = (name: string) => visitor.main.getByRole('cell', { name, exact: true });
  const deliverAndImport = async (id: string, files: Record<string, string>): Promise<void> => {
    const paths: Record<string, string> = {};
    for (const [name, text] of Object.entries(files)) paths[`${id}/${name}`] = text;
    await system.provisioner.deliver('SUB-1', paths);
    const { body } = await system.provisioner.post('/datasets/srcsys/import?wait=30', { dataset_id: id });
    await system.provisioner.ended(body.id);
  };

  it('should verify an imported dataset, and show the differences', async () => {
    await deliverAndImport('DS-8', { 'a.txt': 'one', 'b.txt': 'two' });
    await visitor.signIn(undefined, '/imports/datasets/DS-8');
    await ask('Verify again');
    await visitor.main.getByText('Every file is as it was imported.').waitFor();
    const file = join(system.provisioner.storage, 'data/raw/DS-8/a.txt');
    await chmod(file, 0o600);
    await writeFile(file, 'ill');
    await chmod(file, 0o400);
    await visitor.open('/imports/datasets/DS-8');
    await ask('Verify again');
    await visitor.main.getByRole('alert').getByText('It failed').waitFor();
    await cell('a.txt').waitFor();
    await visitor.gone(cell('b.txt'));
    await visitor.press('Try again');
    await visitor.dialog().getByText('Every file in storage is read again').waitFor();
    expect(await visitor.violations()).toEqual([]);
  });

  it('should withdraw an imported dataset with a reason, and purge its files after its id was entered', async () => {
    await deliverAndImport('DS-20', { 'a.txt': 'one' });
    await visitor.signIn(undefined, '/imports/datasets/DS-20');
    await visitor.main.getByRole('row', { name: 'Location Source and storage' }).waitFor();
    const reason = visitor.dialog().getByRole('textbox', { name: 'Reason' });
    await visitor.press('Withdraw');
    await reason.fill('consent ended');
    expect(await visitor.violations()).toEqual([]);
    await visitor.confirm('Withdraw');
    await visitor.reads('Finished');
    await visitor.open('/imports/datasets/DS-20');
    await visitor.main.getByRole('row', { name: 'Location Source', exact: true }).waitFor();
    await visitor.press('Purge');
    await reason.fill('consent ended');
    expect(await visitor.dialog().getByRole('button', { name: 'Purge' }).isDisabled()).toBe(true);
    await visitor.dialog().getByRole('textbox', { name: 'Enter DS-20' }).fill('DS-20');
    await visitor.confirm('Purge');
    await visitor.reads('Finished');
  });
});
