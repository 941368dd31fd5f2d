import { consoleSuite } from './support/console-suite.ts';
import { admin } from './support/console-system.ts';

const auditor = { ...admin, login: 'auditor@example.org' };
const defaultLabel = 'General Research use and Clinical Care';

describe('consent codes in the console', () => {
  const { system, visitor } = consoleSuite(async () => {
    await system.start();
    await system.addPerson(auditor.login, ['auditor']);
    for (const [name, use_class] of Object.entries({ Scans: 'GRU', Diaries: 'HMB' })) {
      const use_conditions = [{ use_class, use_condition_rule: 'PERMISSION' }];
      await system.send('POST', '/api/datasets', { name, data_declarations: [{ title: 'One', use_conditions }] });
    }
  });

  const exported = async (id: number): Promise<string> =>
    JSON.stringify(await system.stored(`/api/datasets/${String(id)}`));

  it('should get another label in all exports, and the default label again', async () => {
    await visitor.signIn();
    await visitor.goTo('Consent codes');
    await visitor.heading('Consent codes');
    const row = visitor.main.getByRole('row', { name: /^GRU / });
    expect(await row.getByRole('cell').allTextContents()).toEqual([
      'GRU',
      defaultLabel,
      defaultLabel,
      '1',
      'Change label',
    ]);
    expect(await visitor.violations()).toEqual([]);
    await row.getByRole('button', { name: 'Change label' }).click();
    await visitor.dialog().getByLabel('Label').fill('General use');
    expect(await visitor.violations()).toEqual([]);
    await visitor.confirm('Change label');
    await visitor.gone(visitor.dialog());
    expect(await exported(1)).toContain('"use_class_label":"General use"');
    await row.getByRole('button', { name: 'Restore default label' }).click();
    await visitor.confirm('Restore default label');
    await visitor.gone(row.getByRole('button', { name: 'Restore default label' }));
    expect(await exported(1)).toContain(`"use_class_label":"${defaultLabel}"`);
    await visitor.page.setViewportSize({ width: 390, height: 800 });
    await visitor.fits();
  });

  it('should be shown with their labels in the form of a dataset', async () => {
    await visitor.signIn(undefined, '/datasets/2/edit');
    await visitor.page.getByRole('combobox', { name: 'Class of use' }).click();
    await visitor.page.getByRole('option', { name: 'POA: Population Origins/Ancestry research' }).click();
    await visitor.press('Save');
    await visitor.page.getByRole('alert').getByText('Saved.').first().waitFor();
    expect(await exported(2)).toContain('"use_class":"POA"');
  });

  it('should be shown to others without buttons', async () => {
    await visitor.signIn(auditor, '/use-classes');
    await visitor.reads('Only administrators change labels.');
    await visitor.main.getByRole('row', { name: /^GRU / }).waitFor();
    expect(await visitor.button('Change label').count()).toBe(0);
  });
});
