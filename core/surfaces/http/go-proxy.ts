import type { Context } from 'koa';
import type { Services } from '#core/kernel/services.js';
import { goModulePath, goProxyPath } from '../clients/names.js';
import { answerCached, answerReadersOnly } from './infrastructure.js';
import { isReader } from './readers.js';

/** Whether an address belongs to the module proxy. */
export const isGoProxy = (path: string): boolean => path.startsWith(`${goProxyPath}/`);

/**
 * Answers the go command, which asks a module proxy (https://go.dev/ref/mod#goproxy-protocol). After 404, it asks the
 * next proxy, for modules that this server does not have. After 403, it ends and shows the text: no other proxy has
 * another version of the server's module, and the next one's error would not say what to do.
 */
export async function answerGoProxy(context: Context, { deployment: { baseUrl } }: Services): Promise<void> {
  if (!isReader(context)) {
    answerReadersOnly(context);
    return;
  }
  // Loaded at the first request.
  const { clientPackage } = await import('../clients/packages.js');
  const client = await clientPackage('svc-go', baseUrl);
  const path = context.path.slice(goProxyPath.length + 1);
  const page = client?.modulePages.get(path);
  if (page) {
    answerCached(context, page);
    return;
  }
  const isOwn = path.startsWith(`${goModulePath}/@`);
  context.status = client && isOwn ? 403 : 404;
  context.set('Content-Type', 'text/plain; charset=utf-8');
  if (!client) context.body = 'The clients of this server were not built. Run npm run build in its folder.\n';
  else if (isOwn)
    context.body = `This server has only the version ${client.version}. Run: go get ${goModulePath}@latest\n`;
  else context.body = `This server has only the module ${goModulePath}.\n`;
}
