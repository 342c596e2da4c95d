import type { BitcoinApi } from './options'

function walletIcon(colour: string): string {
  return `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 96 96'><rect width='96' height='96' rx='24' fill='${colour}'/>` +
      "<path d='M26 36h38a8 8 0 0 1 8 8v20a8 8 0 0 1-8 8H32a8 8 0 0 1-8-8V34a10 10 0 0 1 10-10h28v8H34' fill='none' stroke='#fff' stroke-width='5' stroke-linejoin='round' stroke-linecap='round'/>" +
      "<circle cx='60' cy='54' r='4.5' fill='#fff'/></svg>",
  )}`
}

/** Default names and icons. Mocks keep the real wallets' names. */
export const looks = {
  evm: { name: 'Devnet Wallet', icon: walletIcon('#31506e') },
  solana: { name: 'Devnet Sol Wallet', icon: walletIcon('#5b4a9c') },
  multi: { name: 'Devnet Multi Wallet', icon: walletIcon('#2d6a4f') },
} as const

export const bitcoinLooks: { readonly [F in BitcoinApi]: { readonly name: string; readonly icon: string } } = {
  standard: { name: 'Devnet Bitcoin Wallet', icon: walletIcon('#a35a12') },
  unisat: { name: 'UniSat', icon: walletIcon('#1d1d1d') },
  xverse: { name: 'Xverse Wallet', icon: walletIcon('#3a3a6a') },
  leather: { name: 'Leather', icon: walletIcon('#4a3b2f') },
  okx: { name: 'OKX Wallet', icon: walletIcon('#222222') },
  phantom: { name: 'Phantom', icon: walletIcon('#7a67c7') },
}
