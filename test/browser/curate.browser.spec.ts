import { ConsoleSystem } from './support/console-system.ts';
import { Visitor } from './support/visitor.ts';

describe('curating in the console', () => {
  let system: ConsoleSystem;
  let visitor: Visitor;

  beforeAll(async () => {
    system = await ConsoleSystem.start();
  });

  beforeEach(async () => {
    visitor = await Visitor.come(system.origin);
  });

  afterEach(async () => {
    await visitor.leave();
    expect(visitor.complaints).toEqual([]);
  });

  afterAll(() => system.stop());

  it('should lead from an empty list to a dataset that is stored', async () => {
    await visitor.signIn(undefined, '/datasets');
    await visitor.heading('Datasets');
    await visitor.page.getByText('No datasets yet').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.page.getByRole('link', { name: 'New dataset' }).first().click();
    await visitor.heading('New dataset');
    await visitor.page.getByLabel('Name').fill('Brain scans');
    expect(await visitor.violations()).toEqual([]);
    await visitor.page.getByRole('button', { name: 'Create' }).click();
    await visitor.heading('Brain scans');
    expect(await visitor.violations()).toEqual([]);
    await visitor.page.getByRole('link', { name: 'Datasets', exact: true }).click();
    await visitor.page.getByRole('cell', { name: 'Brain scans' }).waitFor();
    expect(await visitor.violations()).toEqual([]);
  });

  it('should say at the field what the service finds wrong', async () => {
    await visitor.signIn(undefined, '/datasets/new');
    await visitor.page.getByRole('button', { name: 'Create' }).click();
    const name = visitor.page.getByLabel('Name');
    await visitor.page.getByRole('alert').waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    await visitor.page.locator('input[data-path="name"]:focus').waitFor();
  });
});
