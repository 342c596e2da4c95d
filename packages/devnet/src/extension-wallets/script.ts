/**
 * `page-wallet.js`, a classic script.
 * `data-` attributes configure one EVM wallet, `data-more` names others. Without its own script tag it only defines
 * `installDevnetWallet`.
 */

import { announce } from '@postern/evm-wallet/announce'
import { createEvmWallet } from '@postern/evm-wallet/evm-wallet'
import { connectNode } from '@postern/evm-wallet/node'
import { mnemonicToAccount } from 'viem/accounts'
import { devnetMnemonic } from '../mnemonic'
import { solanaAccount } from '../solana/accounts'
import { addressesOn, bitcoinChains } from './bitcoin-keys'
import { joinControls, type WalletControls, type WalletSnapshot } from './controls'
import { bitcoinLooks, looks } from './icons'
import { showBitcoinWallet, showSolanaWallet } from './inject'
import {
  type AnyWalletOptionsInput,
  type OtherWalletOptions,
  parseOtherOptions,
  parseWalletOptions,
  readMore,
  readOtherScriptOptions,
  readScriptOptions,
  type WalletOptions,
} from './options'
import { createOwner, type Owner } from './owner'
import { createPrompt } from './prompt'
import { solanaChains } from './solana'

export type { WalletControls, WalletSnapshot }

declare global {
  interface Window {
    /** By rdns. */
    devnetWallets?: Record<string, WalletControls>
    /** Returns the existing controls if the rdns is known. */
    installDevnetWallet?: (options?: AnyWalletOptionsInput) => WalletControls
  }
}

function once(rdns: string, make: () => WalletControls): WalletControls {
  window.devnetWallets ??= {}
  const wallets = window.devnetWallets
  const installed = wallets[rdns]
  if (installed !== undefined) return installed
  const controls = make()
  wallets[rdns] = controls
  return controls
}

/** Follows other tabs until the wallet vanishes, then removes it. */
function keep(key: string, controls: WalletControls, adopt: (stored: string | null) => void, remove: () => void): void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === key) adopt(event.newValue)
  }
  window.addEventListener('storage', onStorage)
  const leave = controls.subscribe(() => {
    if (!controls.snapshot().vanished) return
    leave()
    remove()
    window.removeEventListener('storage', onStorage)
  })
}

/** Under another key than Postern's: a page cannot reach a real extension's storage. */
const storageKey = (rdns: string) => `devnet-wallet/${rdns}`

const storageOf = (key: string) => ({
  read: () => localStorage.getItem(key),
  write: (value: string) => localStorage.setItem(key, value),
})

function installEvm(options: WalletOptions): WalletControls {
  const key = storageKey(options.rdns)
  const wallet = createEvmWallet({
    options,
    accountAt: (addressIndex) => mnemonicToAccount(devnetMnemonic, { addressIndex }),
    storage: storageOf(key),
    ask: createPrompt(document),
    connectNode,
    origin: location.origin,
  })
  keep(
    key,
    wallet.controls,
    wallet.adopt,
    announce(window, { ...options, icon: options.icon ?? looks.evm.icon }, wallet.provider),
  )
  return wallet.controls
}

/** Wallets whose state an owner keeps. */
const ownedKinds = {
  solana: {
    chains: solanaChains,
    addresses: (index: number) => [solanaAccount(index).address],
    show: showSolanaWallet,
  },
  bitcoin: {
    chains: bitcoinChains,
    addresses: (index: number, on: Parameters<typeof addressesOn>[1]) =>
      addressesOn(index, on).map(({ address }) => address),
    show: showBitcoinWallet,
  },
} as const

function installOwned(
  kind: keyof typeof ownedKinds,
  rdns: string,
  look: { readonly name: string; readonly icon: string },
  { account, chain, locked, autoApprove, as }: OtherWalletOptions,
): WalletControls {
  const key = storageKey(rdns)
  const { chains, addresses, show } = ownedKinds[kind]
  const owner: Owner = createOwner({
    kind,
    name: look.name,
    chains,
    initial: { account, chain: chains.find(({ id }) => id === chain)?.id ?? chains[0].id, locked, autoApprove },
    addresses,
    storage: storageOf(key),
    ask: createPrompt(document),
    origin: location.origin,
  })
  const remove = show(window, owner, look, as)
  keep(key, owner.controls, owner.adopt, remove)
  return owner.controls
}

function installOther(options: OtherWalletOptions): WalletControls {
  const { kind, as } = options
  const own = kind === 'bitcoin' ? bitcoinLooks[as] : looks[kind]
  const look = { name: options.name ?? own.name, icon: options.icon ?? own.icon }
  const rdns =
    options.rdns ??
    (as === 'standard' ? `dev.postern.devnet-${kind === 'solana' ? 'sol' : kind}-wallet` : `dev.postern.${as}`)
  return once(rdns, () => {
    if (kind !== 'multi') return installOwned(kind, rdns, look, options)
    const { account, locked, autoApprove } = options
    return joinControls(look.name, [
      installEvm(parseWalletOptions({ ...look, rdns, account, locked, autoApprove })),
      installOwned('solana', `${rdns}/solana`, look, options),
      installOwned('bitcoin', `${rdns}/bitcoin`, look, options),
    ])
  })
}

function install(input: AnyWalletOptionsInput): WalletControls {
  if (input.kind !== undefined && input.kind !== 'evm') return installOther(parseOtherOptions(input))
  const { kind: _, ...rest } = input
  const options = parseWalletOptions(rest)
  return once(options.rdns, () => installEvm(options))
}

window.installDevnetWallet ??= (options = {}) => install(options)
const { currentScript } = document
if (currentScript instanceof HTMLScriptElement && currentScript.src !== '') {
  const other = readOtherScriptOptions(currentScript.dataset)
  if (other !== null) installOther(other)
  else install(readScriptOptions(currentScript.dataset))
  for (const more of readMore(currentScript.dataset.more)) installOther(more)
}
