import { readFile } from 'node:fs/promises';

/** Returns the code blocks of a language in a Markdown file. @param path the path in the repository */
export async function codeBlocks(path: string, language: string): Promise<string[]> {
  const text = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => code);
}
