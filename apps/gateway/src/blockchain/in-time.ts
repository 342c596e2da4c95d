import { setTimeout as sleep } from 'node:timers/promises'

/** What is asked for, or something else where it takes too long; the asking goes on. @param patience milliseconds */
export async function inTime<T>(asking: Promise<T>, otherwise: T, patience: number): Promise<T> {
  const enough = new AbortController()
  const waited = sleep(patience, otherwise, { signal: enough.signal }).catch(() => otherwise)
  try {
    return await Promise.race([asking, waited])
  } finally {
    enough.abort()
  }
}
