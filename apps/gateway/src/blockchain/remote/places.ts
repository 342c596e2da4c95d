/**
 * Who may be asked at a moment, of servers that strangers name.
 *
 * 1. `atOnce` at a time, of one site `perSite`: whoever owns a slow server holds up those who ask for it, and few others.
 * 2. Whoever comes beyond waits, until it is called off; where too many wait, of all or of one site, it is refused. Who waits for a site that is full holds
 *    up nobody who asks for another one.
 * 3. The operator's own server (`null`) has places of its own.
 */
import { isIP } from 'node:net'

export type PlacesOptions = {
  readonly atOnce: number
  readonly perSite: number
  readonly waiting: number
  readonly waitingPerSite: number
}
/** Null: the operator's own. */
type Site = string | null
type Waiter = { readonly site: Site; readonly start: () => void }
export type Places = {
  /** @returns how the place is left again, once; null: too many wait. @throws the signal's reason */
  enter(site: Site, signal: AbortSignal): Promise<(() => void) | null>
}

export function createPlaces({ atOnce, perSite, waiting, waitingPerSite }: PlacesOptions): Places {
  const taken = new Map<Site, number>()
  let strangers = 0
  let line: readonly Waiter[] = []

  const hasPlace = (site: Site) =>
    site === null ? (taken.get(null) ?? 0) < atOnce : strangers < atOnce && (taken.get(site) ?? 0) < perSite
  const count = (site: Site, by: 1 | -1) => {
    const now = (taken.get(site) ?? 0) + by
    if (now === 0) taken.delete(site)
    else taken.set(site, now)
    if (site !== null) strangers += by
  }
  const take = (site: Site) => {
    count(site, 1)
    return () => {
      count(site, -1)
      const next = line.find((one) => hasPlace(one.site))
      next?.start()
    }
  }
  const isFull = (site: Site) =>
    line.filter((one) => (one.site === null) === (site === null)).length >= waiting ||
    (site !== null && line.filter((one) => one.site === site).length >= waitingPerSite)

  return {
    async enter(site, signal) {
      signal.throwIfAborted()
      if (hasPlace(site)) return take(site)
      if (isFull(site)) return null
      return new Promise((resolve, reject) => {
        const drop = () => {
          line = line.filter((one) => one !== waiter)
        }
        const stop = () => {
          drop()
          reject(signal.reason)
        }
        const waiter: Waiter = {
          site,
          start() {
            signal.removeEventListener('abort', stop)
            drop()
            resolve(take(site))
          },
        }
        signal.addEventListener('abort', stop, { once: true })
        line = [...line, waiter]
      })
    },
  }
}

/**
 * Whose a host is, as near as it can be told without a list of public suffixes: the last two labels of a name, three where the second last is as short as in
 * `co.uk`. Who shares a hoster's name shares places. An address counts with its neighbours, IPv4's 256, and IPv6's /48: whoever has one has them all.
 */
export function siteOf(hostname: string): string {
  const host = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  if (family === 4) return host.split('.').slice(0, 3).join('.')
  // Normal form, by URL: what `::` leaves out is only counted where it stands for one of the first three.
  if (family === 6) {
    const [head = '', tail] = host.split('::')
    const groups = head === '' ? [] : head.split(':')
    return (tail === undefined ? groups : [...groups, '0', '0', '0']).slice(0, 3).join(':')
  }
  const labels = host.split('.').filter((label) => label !== '')
  const isShort = (labels.at(-2)?.length ?? 0) <= 3
  return labels.slice(isShort ? -3 : -2).join('.')
}
