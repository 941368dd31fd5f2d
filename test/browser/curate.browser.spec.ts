import { consoleSuite } from './support/console-suite.ts';

describe('curating in the console', () => {
  const { visitor } = consoleSuite();

  it('should lead from an empty list to a dataset that is stored', async () => {
    await visitor.signIn(undefined, '/datasets');
    await visitor.heading('Datasets');
    await visitor.reads('No datasets yet');
    expect(await visitor.violations()).toEqual([]);
    await visitor.link('New dataset').first().click();
    await visitor.heading('New dataset');
    await visitor.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Brain scans');
    expect(await visitor.violations()).toEqual([]);
    await visitor.press('Create');
    await visitor.heading('Brain scans');
    expect(await visitor.violations()).toEqual([]);
    await visitor.goTo('Datasets');
    await visitor.link('Brain scans').waitFor();
    expect(await visitor.violations()).toEqual([]);
  });

  it("should show a missing value and the service's error at the field", async () => {
    await visitor.signIn(undefined, '/datasets/new');
    await visitor.press('Create');
    await visitor.faultAt('name');
    await visitor.reads('This field is required.');
    await visitor.page.locator('input[data-path="name"]:focus').waitFor();
    await visitor.page.locator('input[data-path="name"]').fill('Heart scans');
    await visitor.page.locator('input[data-path="external_id"]').fill('123');
    await visitor.press('Create');
    await visitor.main.getByRole('alert').waitFor();
    await visitor.faultAt('external_id');
  });
});
