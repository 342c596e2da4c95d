import type { WalletAddresses, WalletApiBody, WalletApiCall } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Gateway } from './account/gateway'
import { callAs, requireSame, type WalletOptions } from './shares/state'
import type { Ladder } from './storage/ladder'
import type { Wallet } from './wallet'

const served: ReadonlySet<WalletApiCall> = new Set(['wallet', 'deviceShare', 'putDevice', 'proveAddresses', 'recover'])

/** Opens the wallet that the user moved from. It is never created. */
export function previousWallet(options: WalletOptions): WalletOptions {
  const { gateway, ladder } = options
  return {
    ...options,
    gateway: { ...gateway, call: (name, body, how) => gateway.call(name, whichOf(name, body), how) } satisfies Gateway,
    ladder: {
      ...ladder,
      async current() {
        const { storage, store } = await ladder.current()
        return { storage, store: { ...store, ...store.previous } }
      },
    } satisfies Ladder,
    isPrevious: true,
    rule: { recovery: 'hardened', recoveryChoice: 'first' },
  }
}

/** Consumes the code. `addresses`: those that the user saw. */
export async function deletePreviousWallet(
  {
    previous,
    gateway,
    session,
    ladder,
  }: Pick<WalletOptions, 'gateway' | 'session' | 'ladder'> & { readonly previous: Wallet },
  { addresses, otp }: { readonly addresses: WalletAddresses; readonly otp: string | undefined },
): Promise<void> {
  const found = await previous.find()
  if (found.addresses === null) throw new Failure('WALLET_LOCKED')
  requireSame(found.addresses, addresses)
  // Signed, because a code alone deletes no wallet that another device uses.
  const end = await previous.signDeletion(found.userId)
  const confirmed = { ...(otp !== undefined && { otp }), ...(end !== undefined && { end }) }
  await callAs({ gateway, session }, found.userId, 'deletePrevious', { addresses, ...confirmed })
  const { store } = await ladder.current()
  await store.previous.dropShare(found.userId)
  previous.close()
}

function whichOf<C extends WalletApiCall>(name: C, body: WalletApiBody<C>): WalletApiBody<C> {
  return served.has(name) ? { ...body, which: 'previous' } : body
}
