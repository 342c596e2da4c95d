import { setTimeout as sleep } from 'node:timers/promises'

/** Does not cancel `asking`. @param patience in ms */
export async function inTime<T>(asking: Promise<T>, otherwise: T, patience: number): Promise<T> {
  const enough = new AbortController()
  const waited = sleep(patience, otherwise, { signal: enough.signal }).catch(() => otherwise)
  try {
    return await Promise.race([asking, waited])
  } finally {
    enough.abort()
  }
}
