import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { filledText, list, object, oneOf, optional, text, type ValueOf } from '#core/kernel/schema/schema.js';
import { hasControls } from '#core/messaging/input.js';
import { decodedBase64 } from '../messages/attachments.js';
import { measure, type Measured } from './measure.js';

const mebibyte = 1024 * 1024;
/** The largest picture. */
const mostImageBytes = 10 * mebibyte;

/** The media type of each form. */
export const mediaTypes = { jpg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' } as const;

export const contentTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

/** A picture as input: a file. */
export const imageInput = object(
  {
    name: filledText('The file name, such as summer.jpg.', 255),
    contentType: optional(oneOf(contentTypes, 'Checked against the bytes, if it is given.')),
    content: text('The file in base64, at most 10 MiB. SVG is not accepted, because it can contain scripts.', {
      minLength: 4,
      maxLength: Math.ceil(mostImageBytes / 3) * 4,
    }),
  },
  { description: 'A JPEG, PNG, GIF or WebP picture.' },
);

/** Pictures to store, as `images` of an input. */
export const imagesInput = list(
  imageInput,
  'Pictures to store for use in HTML. The reply has the public address of each. A picture that is stored already is not stored again.',
  { minItems: 1, maxItems: 20 },
);

/** A picture that was checked. */
export interface GivenImage extends Measured {
  readonly name: string;
  readonly content: Buffer;
}

/**
 * Checks a picture by its bytes.
 * @param field its path in the request
 * @throws invalid_input naming what is wrong
 */
export function readImage({ name, contentType, content }: ValueOf<typeof imageInput>, field: string): GivenImage {
  if (hasControls(name) || /[/\\]/.test(name))
    throw invalidField(`${field}.name`, 'must be a plain file name, without slashes and control characters');
  const data = decodedBase64(content);
  if (!data) throw invalidField(`${field}.content`, 'must be base64 (RFC 4648), without line breaks');
  if (data.length > mostImageBytes) throw invalidField(`${field}.content`, 'must be at most 10 MiB');
  const measured = measure(data);
  if (!measured) throw invalidField(`${field}.content`, 'must be a JPEG, PNG, GIF or WebP picture');
  const actual = mediaTypes[measured.type];
  if (contentType !== undefined && contentType !== actual)
    throw invalidField(`${field}.contentType`, `must be ${actual}, because the file is one`);
  return { ...measured, name, content: data };
}
