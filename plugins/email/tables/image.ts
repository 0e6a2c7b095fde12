import {
  blobColumn,
  choiceColumn,
  digestColumn,
  intColumn,
  primary,
  smallintColumn,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/** The forms of pictures: the endings of their addresses. */
export const imageTypes = ['jpg', 'png', 'gif', 'webp'] as const;

/** The pictures of an environment, each stored once. */
export const images = defineTable('email_image', {
  environmentId: primary(uuidColumn()),
  /** Of the bytes. */
  sha256: primary(digestColumn()),
  /** The file name that it was first saved with. */
  name: textColumn(255),
  type: choiceColumn(imageTypes, 10),
  bytes: intColumn(),
  width: intColumn(),
  height: intColumn(),
  createdAt: timeColumn(),
});

export type ImageRow = RowOf<typeof images>;

/** The bytes of a picture, at most 1 MiB per row, as in email_attachment_part. */
export const imageParts = defineTable('email_image_part', {
  environmentId: primary(uuidColumn()),
  sha256: primary(digestColumn()),
  part: primary(smallintColumn()),
  data: blobColumn(),
});
