import { limits } from '@postern/protocol'
import { useEffect, useState } from 'react'

/** Unchanged for 500 ms (spec §9). */
export function useRested<T>(value: T, rest: number = limits.debounce): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    if (Object.is(value, rested)) return
    const timer = setTimeout(() => setRested(value), rest)
    return () => clearTimeout(timer)
  }, [value, rested, rest])
  return rested
}
