import { limits } from '@postern/protocol'
import { useEffect, useState } from 'react'

/** The value once unchanged for 500 ms (spec §9). */
export function useDebounced<T>(value: T, delayMs: number = limits.debounce): T {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    if (Object.is(value, debounced)) return
    const timer = setTimeout(() => setDebounced(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, debounced, delayMs])
  return debounced
}
