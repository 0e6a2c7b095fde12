import express from 'express';
import { receiveEvents, svcAuth } from 'svc-sdk/express';

const { SVC_API_URL: baseUrl, SVC_ENVIRONMENT_ID: environmentId, SVC_WEBHOOK_SECRET: secret } = process.env;
const auth = svcAuth({ baseUrl, environmentId });
export const app = express();

// Before express.json(): the signature covers the bytes of the body.
app.post(
  '/webhooks/svc',
  receiveEvents({ secret }, (event) => {
    if (event.type === 'auth.user.created') console.log('New user:', event.data.user.email);
  }),
);
app.use(express.json());

app.get('/api/me', auth.requireUser(), (_request, response) => {
  response.json({ id: response.locals.user.sub });
});

app.get('/api/team', auth.requireUser({ roles: ['owner', 'admin'] }), (_request, response) => {
  response.json({ organization: response.locals.user.org_id });
});
