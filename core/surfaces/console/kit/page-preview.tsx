import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { hasRemoteImages, inScheme, PreviewFrame, Toggle } from './email-preview.js';

interface PagePreviewProps {
  html: string;
  /** What the frame shows, for screen readers. */
  title: string;
  /** Beside the switches for dark and phone. */
  children?: ComponentChildren;
}

/** A page or email as people see it: in light or dark, on a wide screen or a phone. It runs no scripts. */
export function PagePreview({ html, title, children }: PagePreviewProps) {
  const [dark, setDark] = useState(false);
  const [phone, setPhone] = useState(false);
  const [images, setImages] = useState(false);
  return (
    <div class="email-preview">
      <div class="filters">
        {children}
        <span class="acts right">
          <Toggle on={dark} onToggle={setDark}>
            Dark
          </Toggle>
          <Toggle on={phone} onToggle={setPhone}>
            Phone
          </Toggle>
          {hasRemoteImages(html) ? (
            <Toggle on={images} onToggle={setImages}>
              {images ? 'Logo loaded' : 'Load logo'}
            </Toggle>
          ) : null}
        </span>
      </div>
      <PreviewFrame html={inScheme(html, dark)} images={images} look={phone ? 'phone' : ''} title={title} />
    </div>
  );
}
