import { createServer } from 'node:http';
import { Svc } from 'svc-sdk';
import { createTokenVerifier, TokenRejected, type AccessTokenClaims } from 'svc-sdk/session';

const baseUrl = process.env['SVC_API_URL'] ?? 'http://127.0.0.1:8080';
const environmentId = process.env['SVC_ENVIRONMENT_ID'] ?? '';
const port = Number(process.env['PORT'] ?? 3000);
const here = `http://127.0.0.1:${port}`;

const svc = new Svc({ baseUrl, apiKey: process.env['SVC_PUBLISHABLE_KEY'] });
const verify = createTokenVerifier({ baseUrl, environmentId });
const signIn = `${baseUrl}/auth/${environmentId}/signin?${new URLSearchParams({ redirectTo: `${here}/callback` }).toString()}`;

/** Whose token it is; or why it does not count, which is shown: a wrong SVC_API_URL would only ask to sign in again and again. */
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

const server = createServer((request, response) => {
  const send = (status: number, html: string, headers: Record<string, string> = {}) =>
    response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', ...headers }).end(html);
  const answer = async () => {
    const { pathname, searchParams } = new URL(request.url ?? '/', here);
    if (pathname === '/callback') {
      const { tokens } = await svc.auth.session.exchange({ code: searchParams.get('svc_code') ?? '' });
      const cookie = `access=${tokens.accessToken}; HttpOnly; SameSite=Lax; Path=/`;
      return send(303, '', { Location: '/', 'Set-Cookie': cookie });
    }
    const accessToken = /(?:^|; )access=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];
    const { user, problem = '' } = accessToken === undefined ? {} : await check(accessToken);
    if (user) return send(200, `<p>You are user ${user.sub}.</p>`);
    return send(200, `<p>${problem}</p><p><a href="${signIn}">Sign in</a></p>`);
  };
  answer().catch((error: unknown) => send(500, `<p>${error instanceof Error ? error.name : 'Error'}</p>`));
});
server.listen(port, '127.0.0.1', () => console.log(`Open ${here}`));
