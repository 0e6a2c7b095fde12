import { useState } from 'preact/hooks';
import { FormDialog, TextInput } from '#core/surfaces/console/kit/index.js';
import { templateTexts } from './texts.js';

/* The languages of a template. */

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });

export function languageName(locale: string): string {
  try {
    return languageNames.of(locale) ?? locale;
  } catch {
    return locale;
  }
}

const isLocale = (text: string): boolean => {
  try {
    return text !== '' && Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
};

/** Asks for a language that the template does not have. */
export function AddLocale({
  known,
  onAdd,
  onClose,
}: {
  known: readonly string[];
  onAdd: (locale: string) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState('');
  const canonical = isLocale(text) ? (Intl.getCanonicalLocales(text)[0] ?? text) : undefined;
  const error =
    text === ''
      ? undefined
      : canonical === undefined
        ? 'This is not a language tag.'
        : known.includes(canonical)
          ? `The template has ${languageName(canonical)} already.`
          : undefined;
  return (
    <FormDialog
      title="Add language"
      refused={canonical === undefined || error !== undefined ? (error ?? 'Type a language tag first.') : undefined}
      action="Add language"
      onSubmit={() => {
        if (canonical !== undefined) onAdd(canonical);
      }}
      onClose={onClose}
    >
      <TextInput
        label="Language"
        value={text}
        onInput={setText}
        mono
        error={error}
        hint={canonical === undefined || error !== undefined ? templateTexts.language : languageName(canonical)}
      />
    </FormDialog>
  );
}
