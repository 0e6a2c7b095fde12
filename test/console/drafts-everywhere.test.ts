import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';

/** Files with a field that is not kept, and why nothing is lost. */
const unkept: Readonly<Record<string, string>> = {
  'plugins/email/console/test-mail.tsx': 'It begins with the person’s own address; nothing else is typed.',
};

async function sourcesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((each) => each.name.endsWith('.tsx')).map((each) => join(each.parentPath, each.name));
}

describe('The console’s sources', () => {
  it('keep what is typed into every form that writes', async () => {
    const plugins = (await readdir('plugins')).map((name) => `plugins/${name}/console`);
    const folders = [...plugins, 'core/surfaces/console/kit', 'core/surfaces/console/app'];
    const files = (await Promise.all(folders.map((each) => sourcesIn(each).catch(() => [])))).flat();
    expect(files.length).to.be.greaterThan(50);
    const lost: string[] = [];
    for (const file of files) {
      const text = await readFile(file, 'utf8');
      const writes = /\buseAction\(/.test(text);
      const hasFields = /\bonInput=|<TextInput|<Fields\b|<SelectInput|<CodeEditor|<input|<textarea/.test(text);
      if (writes && hasFields && !/\buse(?:Draft|Edits|Fields)\b/.test(text) && !(file in unkept)) lost.push(file);
    }
    expect(lost).to.deep.equal([]);
  });
});
