import { createServer, type IncomingMessage } from 'node:http';
import { Svc } from 'svc-sdk';
import {
  bindSignIn,
  createTokenVerifier,
  returnedCode,
  SignInNotStartedHere,
  signInUrl,
  TokenRejected,
  type AccessTokenClaims,
} from 'svc-sdk/session';

const baseUrl = process.env['SVC_API_URL'] ?? 'http://127.0.0.1:8080';
const environmentId = process.env['SVC_ENVIRONMENT_ID'] ?? '';
const port = Number(process.env['PORT'] ?? 3000);
const here = `http://127.0.0.1:${port}`;

const svc = new Svc({ baseUrl, apiKey: process.env['SVC_PUBLISHABLE_KEY'] });
const verify = createTokenVerifier({ baseUrl, environmentId });
const redirectTo = `${here}/callback`;

/**
 * Whose token it is; or why it does not count, which is shown: a wrong SVC_API_URL would only ask to sign in again and
 * again.
 */
async function check(accessToken: string): Promise<{ user?: AccessTokenClaims; problem?: string }> {
  try {
    return { user: await verify(accessToken) };
  } catch (error) {
    if (!(error instanceof TokenRejected)) throw error;
    const fix = error.reason === 'wrong_issuer' ? ` SVC_API_URL (${baseUrl}) must be the server’s SVC_BASE_URL.` : '';
    const problem = `${error.message}${fix}`;
    console.error(problem);
    return { problem };
  }
}

const cookie = (name: string, value: string, seconds?: number): string =>
  `${name}=${value}; HttpOnly; SameSite=Lax; Path=/${seconds === undefined ? '' : `; Max-Age=${seconds}`}`;

const cookieIn = ({ headers }: IncomingMessage, name: string): string | undefined =>
  new RegExp(`(?:^|; )${name}=([^;]+)`).exec(headers.cookie ?? '')?.[1];

const server = createServer((request, response) => {
  const send = (status: number, html: string, headers: Record<string, string | string[]> = {}) =>
    response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', ...headers }).end(html);
  const answer = async () => {
    const { pathname } = new URL(request.url ?? '/', here);
    if (pathname === '/signin') {
      const binding = await bindSignIn();
      const url = signInUrl({ baseUrl, environmentId, redirectTo, binding });
      return send(303, '', {
        Location: url,
        'Set-Cookie': [cookie('state', binding.state, 1800), cookie('verifier', binding.codeVerifier, 1800)],
      });
    }
    if (pathname === '/callback') {
      const [state, codeVerifier] = [cookieIn(request, 'state'), cookieIn(request, 'verifier')];
      const kept = state === undefined || codeVerifier === undefined ? null : { state, codeVerifier };
      const { tokens } = await svc.auth.session.exchange(returnedCode(request.url ?? '', kept));
      return send(303, '', {
        Location: '/',
        'Set-Cookie': [cookie('access', tokens.accessToken), cookie('state', '', 0), cookie('verifier', '', 0)],
      });
    }
    const accessToken = cookieIn(request, 'access');
    const { user, problem = '' } = accessToken === undefined ? {} : await check(accessToken);
    if (user) return send(200, `<p>You are user ${user.sub}.</p>`);
    return send(200, `<p>${problem}</p><p><a href="/signin">Sign in</a></p>`);
  };
  answer().catch((error: unknown) => {
    // The browser did not start the sign-in that it comes back from: somebody else may have.
    if (error instanceof SignInNotStartedHere) return send(400, '<p><a href="/signin">Sign in</a></p>');
    return send(500, `<p>${error instanceof Error ? error.name : 'Error'}</p>`);
  });
});
server.listen(port, '127.0.0.1', () => console.log(`Open ${here}`));
