import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const folder = fileURLToPath(new URL('../../core/surfaces/sdk/', import.meta.url));

describe('The SDK in browsers', () => {
  it('compiles without Node’s types, and imports nothing from outside its folder', function () {
    this.timeout(30_000);
    const entries = ['index.ts', 'session.ts', 'react/index.ts'].map((name) => `${folder}${name}`);
    const program = ts.createProgram(entries, {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
    });
    const problems = ts.getPreEmitDiagnostics(program);
    expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).to.deep.equal([]);
    const files = program.getSourceFiles().filter((file) => !program.isSourceFileDefaultLibrary(file));
    const others = files.map(({ fileName }) => fileName).filter((name) => !name.startsWith(folder));
    // React is the app's own; csstype belongs to its types.
    expect(others.filter((name) => !/\/node_modules\/(@types\/react|csstype)\//.test(name))).to.deep.equal([]);
    expect(files.map(({ fileName }) => fileName)).not.to.include(`${folder}verify-webhook.ts`);
  });
});
