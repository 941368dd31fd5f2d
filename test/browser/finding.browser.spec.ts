import { readFile } from 'node:fs/promises';
import { consoleSuite } from './support/console-suite.ts';
import { expectSoon } from './support/visitor.ts';

describe('finding in the console', () => {
  const { system, visitor } = consoleSuite(async () => {
    await system.start();
    await system.send('POST', '/api/projects', { acronym: 'ALPHA', name: 'Ageing well' });
    const data_declarations = [{ title: 'Diaries', access_category: 'open_access', data_types: ['Text'] }];
    await system.send('POST', '/api/datasets', {
      ...{ name: 'Sleep diaries', external_id: 'RDC_7', project: 'ALPHA', data_declarations },
      description: "Nights of people with Parkinson's disease",
    });
    await system.send('POST', '/api/datasets', { name: '=1+1', description: 'Walking' });
  });

  const box = () => visitor.page.getByRole('textbox', { name: 'Search records, terms, people, imports and pages' });
  const match = (name: string | RegExp) => visitor.dialog().getByRole('button', { name });

  it('should lead from a word of a description to the record when only the keyboard is used', async () => {
    await visitor.signIn();
    await visitor.page.keyboard.press('/');
    await box().fill('parkin');
    await match(/^Sleep diaries/).waitFor();
    expect(await visitor.violations()).toEqual([]);
    await box().press('ArrowDown');
    await box().press('Enter');
    await visitor.page.waitForURL(/\/datasets\/1$/);
    await visitor.page.keyboard.press('Control+k');
    await match('parkin').waitFor();
  });

  it('should find pages and people, and help when nothing matches, on a phone', async () => {
    await visitor.signIn();
    await visitor.page.setViewportSize({ width: 390, height: 800 });
    await visitor.page.getByRole('button', { name: 'Search', exact: true }).click();
    await box().fill('identity');
    await match(/^Identity sync/).waitFor();
    await box().fill('xyzzy');
    await visitor.dialog().getByText('Check the spelling').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.fits();
  });

  it('should filter a list by a facet, whose value the address contains', async () => {
    await visitor.signIn(undefined, '/datasets');
    await visitor.page.getByRole('combobox', { name: 'Access class' }).click();
    await visitor.page.getByRole('option', { name: 'Open access (1)' }).click();
    await visitor.page.waitForURL(/access=open_access/);
    await expectSoon(() => visitor.page.getByRole('row').count(), 2);
    expect(await visitor.violations()).toEqual([]);
  });

  it('should download a list as filtered, without formulas', async () => {
    await visitor.signIn(undefined, '/datasets?q=walking');
    await visitor.page.getByRole('row', { name: '=1+1' }).waitFor();
    const started = visitor.page.waitForEvent('download');
    await visitor.press('Download CSV');
    const text = await readFile(await (await started).path(), 'utf8');
    expect(text.split('\r\n')).toEqual([
      '\uFEFFid,external_id,name,acronym,project_id,project,published,created_at,changed_at',
      expect.stringMatching(/^2,[^,]*,'=1\+1,,,,false,/),
      '',
    ]);
  });
});
