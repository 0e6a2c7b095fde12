/* Pictures are made smaller in the browser, so that a photo of a phone does not weigh megabytes in each mail. */

/** As wide as mail shows a picture on a screen with two pixels for each point. */
const widest = 1_200;
/** What the server takes of one picture. */
const mostBytes = 10 * 1024 * 1024;
const quality = 0.85;

const types = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

interface Picture {
  readonly name: string;
  /** In base64. */
  readonly content: string;
}

/**
 * Reads a picture, and makes it smaller if it is wider than mail needs. What would become larger stays as it is, and so
 * do moving pictures.
 * @throws Error whose message says what is wrong with the file
 */
export async function readPicture(file: File): Promise<Picture> {
  if (!types.includes(file.type)) throw new Error(`“${file.name}” is not a JPEG, PNG, GIF or WebP picture.`);
  const smaller = file.type === 'image/gif' ? undefined : await shrink(file);
  const used = smaller !== undefined && smaller.size < file.size ? smaller : file;
  if (used.size > mostBytes) throw new Error(`“${file.name}” is larger than 10 MB.`);
  const isJpeg = used !== file && used.type === 'image/jpeg';
  return {
    name: isJpeg ? file.name.replace(/\.\w+$/, '.jpg') : file.name || 'picture',
    content: base64(new Uint8Array(await used.arrayBuffer())),
  };
}

async function shrink(file: File): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(`“${file.name}” cannot be read: the file may be damaged.`);
  });
  const { width, height } = bitmap;
  if (width <= widest) return undefined;
  const canvas = document.createElement('canvas');
  canvas.width = widest;
  canvas.height = Math.max(1, Math.round((height * widest) / width));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  // PNG may be transparent, which JPEG cannot be. Outlook shows no WebP.
  const type = file.type === 'image/png' ? 'image/png' : 'image/jpeg';
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), type, quality));
}

function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  const size = 0x8000;
  for (let at = 0; at < bytes.length; at += size) parts.push(String.fromCharCode(...bytes.subarray(at, at + size)));
  return btoa(parts.join(''));
}
