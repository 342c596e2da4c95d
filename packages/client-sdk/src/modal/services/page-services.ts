import type { PageEvent, PageWallet } from '@postern/protocol'
import type { WalletProvider } from '../../discovery/wallet-provider'
import type { LinkOptions } from '../../link/link'
import type { Namespaces } from '../../namespaces/contract'
import { discoverWallets } from '../../namespaces/eip155/find'
import { noop } from '../../shared/noop'
import type { ModalOptions } from '../contract'
import { createSignInPlugin, followPlugin } from '../sign-in/plugin'
import { siwxOf } from '../sign-in/siwe'
import { collectWallets, notifyOnSend } from './collect-wallets'
import { relayPageWallets } from './relay'
import { createServe } from './serve'

export type PageServices = {
  readonly serve: LinkOptions['serve']
  list(): PageWallet[]
  /** Reports its transactions to the host. */
  wallet(id: string): WalletProvider | undefined
  sendWallets(): void
  lookForWallets(): void
  stop(): void
}

type Host = {
  emit(event: PageEvent, data: unknown): void
  readonly isAttached: boolean
  load(): void
}

export function createPageServices(options: ModalOptions, host: Host): PageServices {
  const { window, dapp, randomId } = options
  let namespaces: Pick<Namespaces, 'list' | 'get'> | undefined
  let isStopped = false

  const announced = discoverWallets({
    ...{ window, randomId, ownProvider: options.ownProvider },
    onChange: () => host.isAttached && sendWallets(),
  })
  const wallets = collectWallets({
    window,
    randomId,
    announced,
    ownProvider: options.ownProvider,
    connectors: dapp.connectors ?? [],
    namespaces: () => namespaces,
    onChange: sendWallets,
  })
  const relay = relayPageWallets({
    wallets,
    now: () => window.performance.now(),
    onWalletEvent(wallet, event, data) {
      // Without a host, events are dropped; a new host reads the wallet's state.
      if (host.isAttached) host.emit('walletEvent', { wallet, event, data })
      else host.load()
    },
  })
  const siwx = siwxOf(dapp, window.location)
  const stopSignIn = followPlugin(siwx, () => host.emit('signInChanged', null))

  function sendWallets(): void {
    host.emit('pageWallets', { pageWallets: wallets.list() })
  }

  return {
    serve: createServe({
      window,
      relay,
      signIn: createSignInPlugin(
        siwx,
        () => Date.now(),
        (data) => options.emit('signIn', data),
      ),
      store: options.store,
    }),
    list: wallets.list,
    wallet(id) {
      const provider = wallets.get(id)
      const namespace = wallets.namespaceOf(id)
      if (provider === undefined || namespace === undefined) return undefined
      return notifyOnSend(provider, () => host.emit('transacted', { namespace }))
    },
    sendWallets,
    lookForWallets() {
      wallets.list()
      if (namespaces !== undefined || !options.loadNamespaces) return
      options.loadNamespaces().then((loaded) => {
        if (namespaces !== undefined || isStopped) return
        namespaces = loaded
        sendWallets()
      }, noop)
    },
    stop() {
      isStopped = true
      relay.stop()
      stopSignIn()
      wallets.stop()
      announced.stop()
    },
  }
}
