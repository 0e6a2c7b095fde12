import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { sendJson, type FakeRequest } from './http-fake.js';

/** An object of the trust hub, a brand, a messaging service or a campaign, with the fields that it was created with. */
interface TwilioThing {
  readonly sid: string;
  readonly kind: string;
  fields: Record<string, string | string[]>;
  status: string;
  errors: unknown[];
}

/** What Twilio stores of A2P registrations, and how its reviewers decide. */
export interface TwilioRegistrations {
  readonly things: readonly TwilioThing[];
  /** Brands and campaigns that were charged for. */
  readonly charges: readonly string[];
  /** The newest object of a kind. @throws if there is none */
  newest(kind: string): TwilioThing;
  /** What the reviewers decide about the newest brand or campaign. */
  decide(kind: 'brand' | 'campaign', status: string, errors?: unknown[]): void;
  /** @returns whether it handled the request */
  answer(request: FakeRequest, response: ServerResponse): boolean;
}

const prefixes: Readonly<Record<string, string>> = {
  profile: 'BU',
  trust: 'BU',
  endUser: 'IT',
  document: 'RD',
  address: 'AD',
  brand: 'BN',
  service: 'MG',
  campaign: 'QE',
};

/** Where objects of a kind are created and listed, and the name of their list. */
const collections: readonly (readonly [path: RegExp, kind: string, list: string])[] = [
  [/^\/v1\/CustomerProfiles$/, 'profile', 'results'],
  [/^\/v1\/TrustProducts$/, 'trust', 'results'],
  [/^\/v1\/EndUsers$/, 'endUser', 'results'],
  [/^\/v1\/SupportingDocuments$/, 'document', 'results'],
  [/^\/2010-04-01\/Accounts\/\w+\/Addresses\.json$/, 'address', 'addresses'],
  [/^\/v1\/a2p\/BrandRegistrations$/, 'brand', 'data'],
  [/^\/v1\/Services$/, 'service', 'services'],
  [/^\/v1\/Services\/(\w+)\/Compliance\/Usa2p$/, 'campaign', 'compliance'],
  [/^\/v1\/Services\/(\w+)\/PhoneNumbers$/, 'service.number', 'phone_numbers'],
  [/^\/v1\/(?:CustomerProfiles|TrustProducts)\/(\w+)\/EntityAssignments$/, 'assignment', 'results'],
];

/** @param ownProfile the deployment's own approved profile */
export function twilioRegistrations(
  ownProfile: string,
  numbers: readonly { readonly sid: string }[],
): TwilioRegistrations {
  const things: TwilioThing[] = [];
  const charges: string[] = [];

  const fieldsOf = (form: URLSearchParams): TwilioThing['fields'] =>
    Object.fromEntries(
      [...new Set(form.keys())].map((name) => [
        name,
        form.getAll(name).length > 1 ? form.getAll(name) : (form.get(name) ?? ''),
      ]),
    );
  const shown = ({ sid, kind, fields, status, errors }: TwilioThing): object => ({
    sid,
    ...(kind === 'brand' ? { status, errors, customer_profile_bundle_sid: fields['CustomerProfileBundleSid'] } : {}),
    ...(kind === 'campaign' ? { campaign_status: status, errors } : {}),
    ...(kind === 'profile' || kind === 'trust' ? { status } : {}),
  });
  const bad = (response: ServerResponse, code: number, message: string, status = 400): true => {
    sendJson(response, { code, message, status }, status);
    return true;
  };

  const make = (kind: string, parent: string, form: URLSearchParams, response: ServerResponse): true => {
    const fields: TwilioThing['fields'] = { ...fieldsOf(form), ...(parent === '' ? {} : { parent }) };
    const of = (name: string): string => String(fields[name] ?? '');
    const has = (sid: string): boolean => sid === ownProfile || things.some((each) => each.sid === sid);
    const isInParent = (each: TwilioThing, name: string): boolean =>
      each.kind === kind && each.fields['parent'] === parent && each.fields[name] === fields[name];
    if (kind === 'assignment' && (!has(parent) || !has(of('ObjectSid'))))
      return bad(response, 20_404, 'Not found', 404);
    if (kind === 'assignment' && things.some((each) => isInParent(each, 'ObjectSid')))
      return bad(response, 22_216, 'The entity is assigned already');
    if (kind === 'service.number' && !numbers.some(({ sid }) => sid === of('PhoneNumberSid')))
      return bad(response, 20_404, 'Not found', 404);
    if (kind === 'service.number' && things.some((each) => isInParent(each, 'PhoneNumberSid')))
      return bad(response, 21_710, 'Phone Number is already in the Messaging Service', 409);
    if (
      kind === 'brand' &&
      (statusOf(of('CustomerProfileBundleSid')) !== 'pending-review' ||
        statusOf(of('A2PProfileBundleSid')) !== 'pending-review')
    )
      return bad(response, 21_724, 'The profiles were not submitted');
    if (kind === 'campaign' && statusOf(of('BrandRegistrationSid')) !== 'APPROVED')
      return bad(response, 21_725, 'The brand is not approved');
    if (kind === 'campaign' && things.some((each) => each.kind === kind && each.fields['parent'] === parent))
      return bad(response, 21_727, 'The messaging service has a campaign');
    const sid = `${prefixes[kind] ?? 'XX'}${randomBytes(16).toString('hex')}`;
    const thing: TwilioThing = {
      sid,
      kind,
      fields,
      status: kind === 'brand' || kind === 'campaign' ? 'PENDING' : 'draft',
      errors: [],
    };
    things.push(thing);
    if (kind === 'brand' || kind === 'campaign') charges.push(kind);
    sendJson(response, shown(thing), 201);
    return true;
  };
  const statusOf = (sid: string): string => things.find((each) => each.sid === sid)?.status ?? '';

  const one = (thing: TwilioThing, { method, form }: FakeRequest, response: ServerResponse): true => {
    if (method === 'DELETE') {
      things.splice(things.indexOf(thing), 1);
      response.writeHead(204).end();
      return true;
    }
    if (method === 'POST') {
      thing.fields = { ...thing.fields, ...fieldsOf(form) };
      thing.status = form.get('Status') ?? (thing.kind === 'brand' ? 'PENDING' : thing.status);
    }
    sendJson(response, shown(thing));
    return true;
  };

  return {
    things,
    charges,
    newest(kind) {
      const found = things.findLast((each) => each.kind === kind);
      if (!found) throw new Error(`There is no ${kind}.`);
      return found;
    },
    decide(kind, status, errors = []) {
      Object.assign(this.newest(kind), { status, errors });
    },
    answer(request, response) {
      const { method, path, form, query } = request;
      for (const [pattern, kind, list] of collections) {
        const found = pattern.exec(path);
        if (!found) continue;
        const parent = found[1] ?? '';
        if (method === 'POST') return make(kind, parent, form, response);
        const object = query.get('ObjectSid');
        const own = things.filter(
          (each) =>
            each.kind === kind &&
            (parent === '' || each.fields['parent'] === parent) &&
            (object === null || each.fields['ObjectSid'] === object),
        );
        sendJson(response, { [list]: own.map(shown) });
        return true;
      }
      const sid = /\/(\w+?)(?:\.json)?$/.exec(path)?.[1];
      const thing = things.find((each) => each.sid === sid);
      return thing ? one(thing, request, response) : false;
    },
  };
}
