import { refusalOf } from '#core/kernel/errors/common.js';
import type { SvcError } from '#core/kernel/errors/errors.js';
import type { TemplateRef } from '#core/messaging/templates/published.js';

/** template_not_published for a template, or for one of its versions. */
export const notPublished = ({ name, version }: TemplateRef): SvcError =>
  refusalOf.template_not_published({
    template: name,
    version: version === undefined ? '' : ` ${version}`,
    publish: 'email.template.publish',
    get: 'email.template.get',
  });
