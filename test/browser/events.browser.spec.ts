import { consoleSuite } from './support/console-suite.ts';

describe('event subscriptions in the console', () => {
  const { system, visitor } = consoleSuite();

  it('should create a subscription, show its secret once, and list, pause and remove it', async () => {
    await visitor.signIn();
    await visitor.goTo('Events');
    await visitor.page.getByText('No subscriptions yet').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.link('New subscription').first().click();
    await visitor.page.getByRole('textbox', { name: 'Name' }).fill('Tickets');
    await visitor.page.getByRole('textbox', { name: 'URL' }).fill('https://tickets.example.invalid/events');
    await visitor.page.getByRole('combobox', { name: 'Events' }).focus();
    await visitor.page.keyboard.press('ArrowDown');
    await visitor.page.getByRole('option', { name: 'Delivery rejected' }).click();
    await visitor.page.keyboard.press('Escape');
    await visitor.press('Create');
    const secret = visitor.dialog('Key of Tickets').getByRole('textbox');
    expect(await secret.inputValue()).toMatch(/^whsec_/);
    await visitor.dialog('Key of Tickets').getByRole('button', { name: 'I have kept it' }).click();
    await visitor.heading('Tickets');
    await visitor.press('Send a test event');
    await visitor.row('Test').filter({ hasText: 'The receiver is unreachable' }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.press('Pause');
    await visitor.confirm('Pause');
    await visitor.button('Resume').waitFor();
    await visitor.goTo('Events');
    await visitor.row('Tickets').filter({ hasText: 'Paused' }).waitFor();
    expect(await system.stored<{ items: unknown[] }>('/api/admin/event-subscriptions')).toMatchObject({
      items: [{ name: 'Tickets', types: ['import.rejected'], pause_reason: 'administrator' }],
    });
    await visitor.link('Tickets').click();
    await visitor.press('Remove');
    await visitor.confirm('Remove');
    await visitor.page.getByText('No subscriptions yet').waitFor();
  });
});
