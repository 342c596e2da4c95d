/** The owner's side of the wallets that development puts into the page. Elsewhere there are none, and the panel does not show. */
import type { WalletControls } from '@postern/devnet/page-wallet'

/** The accounts a devnet wallet can show. */
export const accountNumbers = Array.from({ length: 10 }, (_, number) => number)

const secondWalletKey = 'demo/second-wallet'

/** Brings the second wallet back if the visitor had it, and lists what is there. */
export function devnetWallets(page: Window): readonly WalletControls[] {
  if (page.installDevnetWallet !== undefined && remembersSecondWallet(page)) addSecondWallet(page)
  return Object.values(page.devnetWallets ?? {})
}

export const canAddWallets = (page: Window) => page.installDevnetWallet !== undefined

/** A wallet of another owner that knows the first chain only, to see choice, 4902 and adding a network. */
export function addSecondWallet(page: Window): readonly WalletControls[] {
  page.installDevnetWallet?.({
    name: 'Second Wallet',
    rdns: 'dev.postern.second-wallet',
    account: 1,
    networks: [{ chainId: 31337, name: 'Postern Devnet', rpcUrl: 'http://127.0.0.1:8545' }],
    icon: secondIcon,
  })
  try {
    page.localStorage.setItem(secondWalletKey, 'yes')
  } catch {
    // Without storage the second wallet is gone after a reload, which is what its owner then sees.
  }
  return Object.values(page.devnetWallets ?? {})
}

function remembersSecondWallet(page: Window): boolean {
  try {
    return page.localStorage.getItem(secondWalletKey) === 'yes'
  } catch {
    return false
  }
}

const secondIcon = `data:image/svg+xml,${encodeURIComponent(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 96 96'><rect width='96' height='96' rx='24' fill='#7a4a2b'/>" +
    "<circle cx='39' cy='57' r='14' fill='none' stroke='#fff' stroke-width='6'/><path d='m49 47 22-22m-9 9 8 8' stroke='#fff' stroke-width='6' stroke-linecap='round'/></svg>",
)}`
