/**
 * Limits concurrent requests to untrusted servers.
 *
 * 1. Each site has its own limit: a slow server delays mainly its own requests.
 * 2. Further requests wait until aborted, or are rejected if too many wait. A full site does not block others.
 * 3. The operator's own server (`null`) has its own slots.
 */
import { ipv6Prefix, isIpv4, parseIpAddress } from '../../../platform/http/ip-address'
import { registeredDomain } from '../../../platform/http/registrable-domain'

export type PlacesOptions = {
  readonly atOnce: number
  readonly perSite: number
  readonly waiting: number
  readonly waitingPerSite: number
}
type Site = string | null
type Waiter = { readonly site: Site; readonly start: () => void }
export type Places = {
  /** @returns frees the slot; null if too many wait. @throws the signal's reason */
  enter(site: Site, signal: AbortSignal): Promise<(() => void) | null>
}

export function createPlaces({ atOnce, perSite, waiting, waitingPerSite }: PlacesOptions): Places {
  const occupied = new Map<Site, number>()
  let strangers = 0
  let line: readonly Waiter[] = []

  const hasPlace = (site: Site) =>
    site === null ? (occupied.get(null) ?? 0) < atOnce : strangers < atOnce && (occupied.get(site) ?? 0) < perSite
  const count = (site: Site, by: 1 | -1) => {
    const now = (occupied.get(site) ?? 0) + by
    if (now === 0) occupied.delete(site)
    else occupied.set(site, now)
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

/** Customers of one hoster share a site. IP addresses: IPv4 /24, IPv6 /48. */
export function siteOf(hostname: string): string {
  const host = hostname.replace(/^\[|\]$/g, '')
  const address = parseIpAddress(host)
  if (address !== null) return isIpv4(address) ? address.octets.slice(0, 3).join('.') : ipv6Prefix(address, 3)
  return registeredDomain(host)
}
