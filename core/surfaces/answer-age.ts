import type { Operation } from '#core/kernel/operation.js';

/** The request header with the age, in seconds, that an answer may have. */
export const maxAgeHeader = 'Svc-Max-Age';
/** The response header with the time of which an answer from a replica knows. */
export const asOfHeader = 'Svc-Data-As-Of';

const texts = {
  'by default': `If the deployment has replicas for reads, the answer may be a few seconds old; send \`${maxAgeHeader}: 0\` for the newest.`,
  'on request': `If the deployment has replicas for reads and the call sends \`${maxAgeHeader}\`, the answer may be a few seconds old.`,
} as const;

/** How old an operation's answer may be, in a sentence; undefined if it is never old. */
export const ageText = ({ mayBeOld }: Pick<Operation, 'mayBeOld'>): string | undefined => mayBeOld && texts[mayBeOld];
