import { useEffect, useState } from 'preact/hooks';

/** A value once it has stopped changing, for reads that follow what somebody types. */
export function useLater<T>(value: T, ms = 400): T {
  const [later, setLater] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return later;
}
