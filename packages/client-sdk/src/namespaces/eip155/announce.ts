import type { Eip1193Provider, PosternOptions } from '../../types/index'

export const ownRdns = 'dev.postern.wallet'

const ownName = 'Postern'

/** Without raw quotes and spaces, so that it fits any attribute. */
const icon =
  'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220%200%2096%2096%22%3E%3Crect%20width=%2296%22%20height=%2296%22%20rx=%2224%22%20fill=%22%230d7565%22/%3E%3Cpath%20d=%22M30%2074V44a18%2018%200%200%201%2036%200v30z%22%20fill=%22%23fff%22/%3E%3Ccircle%20cx=%2257%22%20cy=%2254%22%20r=%224%22%20fill=%22%230d7565%22/%3E%3C/svg%3E'

export type Identity = { readonly name: string; readonly icon: string }

export function identityOf(announce: PosternOptions['announce']): Identity {
  return { name: ownName, icon, ...Object(announce) }
}

/** EIP-6963, now and on each request. Returns a stop function. */
export function announceProvider(
  window: Pick<Window, 'addEventListener' | 'removeEventListener' | 'dispatchEvent'>,
  provider: Eip1193Provider,
  { name, icon }: Identity,
  uuid: string,
): () => void {
  const info = Object.freeze({ uuid, name, icon, rdns: ownRdns })
  const detail = Object.freeze({ info, provider })
  const announce = () => {
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  }
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
  return () => window.removeEventListener('eip6963:requestProvider', announce)
}
