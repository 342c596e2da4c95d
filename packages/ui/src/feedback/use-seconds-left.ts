import { useEffect, useState } from 'react'

/** Seconds until `time` (epoch ms), rounded up. */
export function useSecondsLeft(time: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    const left = time - Date.now()
    if (left <= 0) return
    // Ticks at whole seconds before `time`.
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      setNow(Date.now())
      const wait = time - Date.now()
      if (wait > 0) timer = setTimeout(tick, wait % 1000 || 1000)
    }
    timer = setTimeout(tick, left % 1000 || 1000)
    return () => clearTimeout(timer)
  }, [time])
  return Math.ceil(Math.max(time - now, 0) / 1000)
}
