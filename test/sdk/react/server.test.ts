import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createElement, StrictMode, type ComponentProps } from 'react';
import { renderToString } from 'react-dom/server';
import {
  AccountLink,
  Protect,
  SignedIn,
  SignedOut,
  SignInButton,
  SvcProvider,
  useOrganization,
  useSession,
  useUser,
} from 'svc-sdk/react';
import ts from 'typescript';
import { root } from '#test/docs/shell-blocks.js';

describe('svc-sdk/react on a server', () => {
  const options: ComponentProps<typeof SvcProvider> = {
    baseUrl: 'https://svc.example.com',
    environmentId: 'e1',
    publishableKey: 'svc_live_pk_x',
  };

  it('renders a session that is loading, without a window', () => {
    function Facts() {
      const { status } = useSession();
      const { user } = useUser();
      const { active, organizations } = useOrganization();
      return JSON.stringify([status, user, active, organizations]);
    }
    const html = renderToString(
      createElement(
        StrictMode,
        null,
        createElement(
          SvcProvider,
          options,
          createElement(Facts),
          createElement(SignedIn, null, 'in'),
          createElement(SignedOut, null, 'out'),
          createElement(Protect, { role: 'admin', fallback: 'no admin' }, 'admin'),
          createElement(SignInButton, { className: 'main' }),
          createElement(AccountLink),
        ),
      ),
    );
    expect(html).to.equal(
      '[&quot;loading&quot;,null,null,null]' +
        '<button type="button" class="main">Sign in</button>' +
        '<a href="https://svc.example.com/auth/e1/account">Account</a>',
    );
  });

  it('refuses a secret key, and a missing environment', () => {
    const rendering = (given: Partial<typeof options>) => () =>
      renderToString(createElement(SvcProvider, { ...options, ...given }));
    expect(rendering({ publishableKey: 'svc_live_x' })).to.throw(TypeError, 'revoke it with developers.key.revoke');
    expect(rendering({ environmentId: '' })).to.throw(TypeError, 'needs environmentId');
  });

  it('says what is missing: a provider, the server’s address', () => {
    expect(() => renderToString(createElement(SignInButton))).to.throw('Render this component inside <SvcProvider>.');
    const { baseUrl: _, ...withoutAddress } = options;
    expect(() => renderToString(createElement(SvcProvider, withoutAddress))).to.throw(
      TypeError,
      '<SvcProvider> needs baseUrl',
    );
  });

  it('has the types that docs/react.md uses', async function () {
    this.timeout(60_000);
    const folder = await mkdtemp(join(tmpdir(), 'svc-react-types-'));
    try {
      await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
      const source = await readFile(join(root, 'docs/react.md'), 'utf8');
      for (const [, name = '', content = ''] of source.matchAll(/```tsx\n\/\/ src\/(\S+)\n([^]*?)```/g))
        await writeFile(join(folder, name), content);
      await writeFile(join(folder, 'vite.d.ts'), 'interface ImportMeta { readonly env: Record<string, string> }');
      const program = ts.createProgram([join(folder, 'vite.d.ts'), join(folder, 'main.tsx')], {
        target: ts.ScriptTarget.ES2023,
        module: ts.ModuleKind.ESNext,
        moduleResolution: ts.ModuleResolutionKind.Bundler,
        lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
        types: [],
        jsx: ts.JsxEmit.ReactJSX,
        paths: { 'svc-sdk/react': [join(root, 'core/surfaces/sdk/react/index.ts')] },
        preserveSymlinks: true,
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: true,
        noEmit: true,
      });
      const problems = ts.getPreEmitDiagnostics(program);
      expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).to.deep.equal([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
