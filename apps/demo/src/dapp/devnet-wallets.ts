/** Only development has devnet wallets; elsewhere the panel is hidden. */
import type { WalletControls } from '@postern/devnet/extension-wallets'

export const accountNumbers = Array.from({ length: 10 }, (_, number) => number)

/** The Bitcoin ones imitate their namesakes. */
export const moreWallets = ['second', 'unisat', 'xverse', 'leather', 'okx', 'phantom'] as const
export type MoreWallet = (typeof moreWallets)[number]
export const moreWalletWords: Readonly<Record<MoreWallet, string>> = {
  second: 'Second Wallet',
  unisat: 'UniSat',
  xverse: 'Xverse Wallet',
  leather: 'Leather',
  okx: 'OKX Wallet',
  phantom: 'Phantom (Bitcoin)',
}

const storageKey = 'demo/more-wallets'

/** Installs and returns the wallets that the user added before and those of `?wallets=unisat,okx`. */
export function devnetWallets(page: Window): readonly WalletControls[] {
  const requested = new URLSearchParams(page.location.search).get('wallets')?.split(',') ?? []
  if (page.installDevnetWallet !== undefined)
    for (const wallet of moreWallets)
      if (requested.includes(wallet) || remembered(page).includes(wallet)) install(page, wallet)
  return Object.values(page.devnetWallets ?? {})
}

/** Empty outside development. */
export function missingWallets(page: Window): readonly MoreWallet[] {
  if (page.installDevnetWallet === undefined) return []
  return moreWallets.filter((wallet) => !(rdnsOf(wallet) in (page.devnetWallets ?? {})))
}

export function addWallet(page: Window, wallet: MoreWallet): readonly WalletControls[] {
  install(page, wallet)
  try {
    page.localStorage.setItem(storageKey, [...new Set([...remembered(page), wallet])].join(' '))
  } catch {
    // Without storage, the wallet is gone after a reload.
  }
  return Object.values(page.devnetWallets ?? {})
}

const rdnsOf = (wallet: MoreWallet) => `dev.postern.${wallet === 'second' ? 'second-wallet' : wallet}`

function install(page: Window, wallet: MoreWallet): void {
  const rdns = rdnsOf(wallet)
  if (wallet !== 'second') {
    page.installDevnetWallet?.({ kind: 'bitcoin', as: wallet, rdns })
    return
  }
  // Knows only the first chain, to test wallet choice, error 4902 and adding a network.
  page.installDevnetWallet?.({
    name: moreWalletWords.second,
    rdns,
    account: 1,
    networks: [{ chainId: 31337, name: 'Postern Devnet', rpcUrl: 'http://127.0.0.1:8545' }],
    icon: secondIcon,
  })
}

function remembered(page: Window): readonly string[] {
  try {
    return (page.localStorage.getItem(storageKey) ?? '').split(' ')
  } catch {
    return []
  }
}

const secondIcon = `data:image/svg+xml,${encodeURIComponent(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 96 96'><rect width='96' height='96' rx='24' fill='#7a4a2b'/>" +
    "<circle cx='39' cy='57' r='14' fill='none' stroke='#fff' stroke-width='6'/><path d='m49 47 22-22m-9 9 8 8' stroke='#fff' stroke-width='6' stroke-linecap='round'/></svg>",
)}`
