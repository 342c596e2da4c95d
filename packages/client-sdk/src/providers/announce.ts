import { ownRdns } from '../discovery/eip6963'
import type { Eip1193Provider } from '../types'

export const ownName = 'Postern'

/** An arched side door, minified. */
export const icon =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"%3E%3Crect width="96" height="96" rx="24" fill="%230d7565"/%3E%3Cpath d="M30 74V44a18 18 0 0 1 36 0v30z" fill="%23fff"/%3E%3Ccircle cx="57" cy="54" r="4" fill="%230d7565"/%3E%3C/svg%3E'

/** EIP-6963: now and on each request. Returns a stop function. */
export function announceProvider(
  window: Pick<Window, 'addEventListener' | 'removeEventListener' | 'dispatchEvent'>,
  provider: Eip1193Provider,
  uuid: string,
): () => void {
  const info = Object.freeze({ uuid, name: ownName, icon, rdns: ownRdns })
  const detail = Object.freeze({ info, provider })
  const announce = () => {
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  }
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
  return () => window.removeEventListener('eip6963:requestProvider', announce)
}
