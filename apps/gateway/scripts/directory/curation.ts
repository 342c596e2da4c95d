/** Manual decisions, by record id. Every id must exist, so that no entry goes stale. */
import type { Namespace } from '@postern/protocol'

/** The most used wallets, in recommended order; the registry's order follows. */
export const first: readonly string[] = [
  'io.metamask',
  'com.coinbase.wallet',
  'com.trustwallet.app',
  'app.phantom',
  'me.rainbow',
  'com.okex.wallet',
  'com.ledger',
  'io.zerion.wallet',
  'io.rabby',
  'org.uniswap',
  'global.safe',
  'com.binance.wallet',
  'com.bitget.web3',
  'com.solflare',
  'app.backpack',
  'app.xverse',
  'io.leather',
  'io.unisat',
  'io.magiceden.wallet',
  'ag.jup',
  'com.brave.wallet',
  'com.exodus',
  'com.kraken',
  'com.robinhood.wallet',
  'com.crypto.wallet',
  'so.onekey.app.wallet',
  'im.token',
  'pro.tokenpocket',
  'com.safepal',
  'io.1inch.wallet',
  'app.keplr',
  'com.bybit',
]

/** Later entries are new or rarely used: only those in `selectedFromTail` are included. */
export const registryPlaces = 250

export const selectedFromTail: readonly string[] = [
  'app.phantom',
  'com.coinbase.wallet',
  'com.brave.wallet',
  'com.enkrypt',
  'app.xverse',
  'io.ready',
  'io.kaiawallet',
  'io.leapwallet',
  'io.compasswallet',
  'com.alphawallet',
  'app.edge',
  'network.haqq',
  'com.coinex.wallet',
  'com.ballet',
  'io.hyperpay',
  'com.wallet.reown',
  'sh.frame',
  'fi.nu',
  'com.guarda.wallet',
  'io.finoa',
  'io.runonflux.sspwallet',
  'me.vultisig',
  'com.anchorage',
  'com.kresus',
  'zone.bitverse',
  'io.paraswap',
  'com.opera',
  'digital.minerva',
  'io.loopring.wallet',
  'finance.plena',
  'io.moonstake',
  'com.unstoppabledomains',
  'com.berasig',
]

/** For wallets that sources list for an interface that they lack. */
export const onlyNamespaces: Readonly<Record<string, readonly Namespace[]>> = {
  // Bitcoin (and Stacks) wallets, in the registry for WalletConnect.
  'app.xverse': ['bip122'],
  'io.leather': ['bip122'],
  // docs: dev.jup.ag; Jupiter Wallet is a Solana wallet.
  'ag.jup': ['solana'],
}

/** Announced through Wallet Standard, and in no source. */
export const moreNamespaces: Readonly<Record<string, readonly Namespace[]>> = {
  // docs.metamask.io: Solana since extension 12.17.
  'io.metamask': ['solana'],
  'app.backpack': ['solana'],
  // web3.okx.com/build: the extension has a Solana provider.
  'com.okex.wallet': ['solana'],
  // wallet-docs.brave.com: has a Solana provider.
  'com.brave.wallet': ['solana'],
  // Formerly XDEFI; its Solana adapter still has the old name.
  'xyz.ctrl': ['solana'],
}

/** Records with a wrong id in the source. */
export const renamed: Readonly<Record<string, { readonly id: string; readonly withoutRdns: true }>> = {
  // The registry has its operator's placeholder as domain.
  'com.wallet.reown': { id: 'io.leather', withoutRdns: true },
}

const sample = 'a sample application'
const foreign = 'speaks neither EVM, Solana nor Bitcoin to a page'
const sdkOnly = "reached only through its maker's own SDK"
const renamedByMaker = 'its maker has given it another name, under which it is listed'
const discontinued = 'discontinued by its maker'
const unclear = 'its entry does not make clear what it is, or its name can be taken for another wallet'

export const dropped: Readonly<Record<string, string>> = {
  'com.reown': sample,
  'com.walletconnect': sample,
  'com.reown.lab': sample,
  'com.reown.docs': sample,
  'io.reactwallet': sample,
  'pk.modular': sample,
  'com.example.subdomain': unclear,
  'com.google.play': unclear,
  'org.dota168': unclear,
  'io.trustasset': unclear,
  'io.safecryptowallet': unclear,
  'com.atomwallets': unclear,
  'com.it.onewallet': unclear,
  'io.mywallet': unclear,
  'com.coldwallet': unclear,
  'com.bscecowallet': unclear,
  'ch.dssecurity': unclear,
  'io.summonersarena': unclear,
  'com.hashpack.wallet': foreign,
  'app.freighter': foreign,
  'xyz.joeywallet': foreign,
  'com.concordium.wallet': foreign,
  'org.alephium': foreign,
  'com.veworld': foreign,
  'com.keeperwallet': foreign,
  'app.kabila.wallet': foreign,
  'finance.saucerswap': foreign,
  'io.banksocial': foreign,
  'online.puzzle': foreign,
  'world.ixo': foreign,
  'com.webauth': foreign,
  'app.everspace': foreign,
  'com.thirdweb': sdkOnly,
  'com.crossmint': sdkOnly,
  'xyz.sequence': sdkOnly,
  'xyz.ithaca.porto': sdkOnly,
  'io.blocto': discontinued,
  'app.ultimate': discontinued,
  'com.safemoon': discontinued,
  'technology.obvious': discontinued,
  'xyz.frontier.wallet': discontinued,
  'app.omni': discontinued,
  'io.kaikas.app': renamedByMaker,
  'app.status': discontinued,
}

/** AppKit's name of a wallet whose explorer id it knows. */
export const appKitNames: Readonly<Record<string, string>> = {
  'io.metamask': 'metamask',
  'com.coinbase.wallet': 'coinbase',
  'com.trustwallet.app': 'trust',
  'app.phantom': 'phantom',
  'me.rainbow': 'rainbow',
  'com.okex.wallet': 'okx',
  'com.ledger': 'ledger',
  'io.zerion.wallet': 'zerion',
  'org.uniswap': 'uniswap',
  'global.safe': 'safe',
  'com.binance.wallet': 'binance',
  'com.bitget.web3': 'bitget',
  'com.solflare': 'solflare',
  'app.backpack': 'backpack',
  'app.xverse': 'xverse',
  'io.leather': 'leather',
  'io.magiceden.wallet': 'magic-eden',
  'ag.jup': 'jupiter',
  'com.brave.wallet': 'brave',
  'com.exodus': 'exodus',
  'com.kraken': 'kraken',
  'com.robinhood.wallet': 'robinhood',
  'com.crypto.wallet': 'crypto-com',
  'im.token': 'imtoken',
  'pro.tokenpocket': 'tokenpocket',
  'com.safepal': 'safepal',
  'io.1inch.wallet': 'oneinch',
  'com.bybit': 'bybit',
  'com.bitpay': 'bitpay',
  'com.roninchain.wallet': 'ronin',
  'com.valoraapp': 'valora',
  'com.zengo': 'zengo-wallet',
  'me.haha': 'haha',
  'app.coinstats': 'coinstats',
  'com.coin98': 'coin98',
  'inc.tomo': 'tomo-wallet',
  'com.kresus': 'kresus-superapp',
  'finance.plena': 'plena-app',
  'xyz.argent': 'argent',
}

/** Ids of the explorer that AppKit's list lacks, as dapps use them. */
export const moreExplorerIds: Readonly<Record<string, readonly string[]>> = {
  // It has two entries.
  'com.coinbase.wallet': ['d0ca99ff52b99abc48743dad0f7fc891e041be73574f7fac4afe5d4bb83845c8'],
  'io.rabby': ['18388be9ac2d02726dbac9777c96efaac06d744b2f6d580fccdd4127a6d01fd1'],
}

/** Not wallets, or only merged into other records. */
export const onlyJoins: readonly string[] = [
  'Browser Wallet',
  'WalletConnect',
  'Dawn',
  'Nest',
  'Bitski',
  'Taho',
  'Ramper Wallet',
  'Tokenary',
]
