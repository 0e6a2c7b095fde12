import { createHash, randomUUID } from 'node:crypto';
import { sendJson, startHttpFake, type HttpFake } from './http-fake.js';

interface GitHubAddress {
  email: string;
  primary: boolean;
  verified: boolean;
}

/** GitHub’s endpoints for sign-in, on one host as with a GitHub Enterprise Server. */
export interface TestGitHub extends HttpFake {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The person who signs in from now on. */
  user: { id: number; login: string; name: string | null; avatar_url: string };
  addresses: GitHubAddress[];
}

/** Written from GitHub’s documentation (“Authorizing OAuth apps”, “Get the authenticated user”), without svc’s code. */
export async function startGitHub(): Promise<TestGitHub> {
  const codes = new Map<string, { challenge: string; redirectUri: string }>();
  const tokens = new Set<string>();
  const fake = await startHttpFake(({ method, path, query, form, headers }, response) => {
    if (method === 'GET' && path === '/login/oauth/authorize') {
      const code = randomUUID();
      const redirectUri = query.get('redirect_uri') ?? '';
      codes.set(code, { challenge: query.get('code_challenge') ?? '', redirectUri });
      const back = new URL(redirectUri);
      back.searchParams.set('code', code);
      back.searchParams.set('state', query.get('state') ?? '');
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    if (method === 'POST' && path === '/login/oauth/access_token') {
      const started = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      // GitHub answers errors with status 200.
      if (form.get('client_id') !== github.clientId || form.get('client_secret') !== github.clientSecret)
        sendJson(response, { error: 'incorrect_client_credentials', error_description: 'The client_id is wrong.' });
      else if (started?.challenge !== challenge || started.redirectUri !== form.get('redirect_uri'))
        sendJson(response, { error: 'bad_verification_code', error_description: 'The code passed is incorrect.' });
      else {
        const token = `gho_${randomUUID()}`;
        tokens.add(token);
        sendJson(response, { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' });
      }
      return;
    }
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    // GitHub refuses requests to its API without a User-Agent.
    if (token === undefined || !tokens.has(token) || !headers['user-agent']) sendJson(response, {}, 401);
    else if (path === '/api/v3/user') sendJson(response, github.user);
    else if (path === '/api/v3/user/emails') {
      const [size, page] = [Number(query.get('per_page') ?? 30), Number(query.get('page') ?? 1)];
      const next = `${github.url}${path}?per_page=${size}&page=${page + 1}`;
      if (page * size < github.addresses.length) response.setHeader('link', `<${next}>; rel="next"`);
      sendJson(response, github.addresses.slice((page - 1) * size, page * size));
    } else sendJson(response, {}, 404);
  });
  const github: TestGitHub = {
    ...fake,
    clientId: 'Iv1.8a61f9b3a7aba766',
    clientSecret: 'github-client-secret',
    user: { id: 583_231, login: 'octocat', name: 'The Octocat', avatar_url: 'https://avatars.example.com/u/583231' },
    addresses: [
      { email: 'work@example.com', primary: false, verified: true },
      { email: 'octocat@example.com', primary: true, verified: true },
    ],
  };
  return github;
}
