import { text } from '#core/kernel/schema/schema.js';

export const mfaToken = text('`mfa.mfaToken` from the reply to the first step.', { minLength: 1, maxLength: 200 });
export const exampleMfaToken =
  'svc_mfa_01890a5d-ac96-774b-bcce-b302099a9010.Yh3kT9wQ2mB7xR5vN8cL1pZ6sD4fG0jK3aE9uW2tHqM';
