import { runCatalog } from '../../test/support/command-line.js';

describe('every command', () => {
  const commands = [
    ['migrate'],
    ['import', 'full', 'package.json'],
    ['import', 'terms', 'hp.tsv', '--category', 'gene'],
    ['import', 'projects', 'projects.json'],
    ['import', 'daisy', 'folder'],
    ['compare', 'daisy', '--url=http://a', '--catalog=http://b', '--callers=keys', '--report=report.md'],
    ['export', '--full'],
    ['backup', 'folder', '--keep=2'],
    ['rebuild', 'documents'],
    ['check', 'linked-data'],
    ['use-class', 'list'],
    ['use-class', 'label', 'GRU', 'General use'],
    ['key', 'user', 'ada@example.org'],
    ['key', 'endpoint', 'Portal', '60'],
    ['key', 'service', '--scope=bulk', '--expires=2100-01-01', 'nightly'],
    ['password', 'ada@example.org'],
    ['throttled'],
    ['release', '192.0.2.1'],
  ];

  it.each(commands)('should refuse an unknown option: %s %s', async (...words) => {
    await expect(runCatalog({}, [...words, '--surplus'])).rejects.toThrow("error: unknown option '--surplus'");
  });

  it.each(commands)('should refuse a surplus argument: %s %s', async (...words) => {
    await expect(runCatalog({}, [...words, 'surplus'])).rejects.toThrow('error: too many arguments for');
  });

  it.each(commands)('should print its help without settings: %s %s', async (...words) => {
    expect((await runCatalog({}, [...words, '--help'])).join('\n')).toMatch(/^Usage: cli\.js /);
  });
});
